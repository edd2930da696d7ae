/** A brand that is common in Brazil. */
export type CardBrand = "visa" | "mastercard" | "elo" | "hipercard" | "amex" | "diners" | "aura";

/**
 * First digits of each brand, single or from-to. Narrow ranges stand before the wide ones that they are cut out
 * of, because the first that fits wins.
 *
 * No list is official and complete. Visa, Mastercard, Elo, Amex, Diners and Hipercard's 606282 are as in Braintree's
 * `credit-card-type` 10.3.0, with which a test compares them; 222100 to 272099 is also in "Mastercard 2-Series BIN
 * Implementation for Merchants". Hipercard's 3841 numbers are in `jessepollak/payment` 2.4.5, Aura's in
 * `renatovico/bin-cc` (which calls its own entry unofficial) and `Marjoel/credit-card-bins`. Compared on 2026-11-21.
 *
 * Hiper (637...) is another brand than Hipercard for Braintree, so it is none here.
 */
const RANGES: readonly (readonly [CardBrand, string])[] = [
  [
    "elo",
    "401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368 " +
      "650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 " +
      "650901-650978 651652-651679 655000-655019 655021-655058",
  ],
  ["hipercard", "606282 384100 384140 384160"],
  ["aura", "500000-509999"], // told at six digits only, because before that it is as likely an Elo
  ["amex", "34 37"],
  ["diners", "300-305 36 38-39"],
  ["mastercard", "51-55 2221-2229 223-229 23-26 270-271 2720"], // cut where a shorter beginning tells it
  ["visa", "4"],
];

/**
 * The brand of a card, as far as its first digits tell: for a logo beside the input. It may be asked at every
 * keystroke: it tells a brand as soon as the digits do, and a card that begins like a Visa turns into an Elo once its
 * sixth digit says so. One that begins with 50 is nobody's before that digit.
 *
 * Advisory only. Ranges move, and a card whose brand is not known may be good: never refuse one because of it.
 *
 * ```ts
 * cardBrand("4111 1"); // "visa"
 * cardBrand("4011 78"); // "elo"
 * cardBrand("6011 0000"); // undefined
 * ```
 *
 * @param input - What was typed so far. Spaces and dashes do not count.
 * @returns `undefined` where the digits are too few, or of no brand in the list.
 */
export function cardBrand(input: string): CardBrand | undefined {
  const digits = input.replaceAll(/[\s-]/g, "");
  if (!/^\d+$/.test(digits)) return undefined;
  return RANGES.find(([, ranges]) => ranges.split(" ").some((range) => isWithin(digits, range)))?.[0];
}

function isWithin(digits: string, range: string): boolean {
  const [from = "", to = from] = range.split("-");
  const beginning = digits.slice(0, from.length);
  return beginning.length === from.length && from <= beginning && beginning <= to;
}
