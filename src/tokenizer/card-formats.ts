// Helpers for a card form. They only guide the buyer: `CardTokenizer` and the service decide what is valid.

import { hasLuhnDigit, toAscii, withoutSeparators } from "../spec/check-digits.ts";
import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";

/** A card brand that is common in Brazil. */
export type CardBrand = "visa" | "mastercard" | "elo" | "hipercard" | "amex" | "diners" | "aura" | "maestro";

/**
 * First digits of each brand, as single prefixes or ranges. The first match wins, so a narrow range is listed before
 * the wide range that contains it.
 *
 * No official, complete list exists. Visa, Mastercard, Elo, Amex, Diners and Hipercard's 606282 are from Braintree's
 * `credit-card-type` 10.3.0, and a test compares them. Hipercard's 3841 prefixes are in `jessepollak/payment` 2.4.5,
 * Aura's 5078 and Elo's 636369 in `renatovico/bin-cc`. Mastercard's 503143 and 503175 are the prefixes of test cards of
 * gateways in Latin America. Maestro has the ranges of Braintree's table, without all the rest of 6. Hiper (637...) is
 * missing: Braintree lists it as a separate brand.
 */
const RANGES: readonly (readonly [CardBrand, string])[] = [
  [
    "elo",
    "401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 " +
      "636368-636369 650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 " +
      "650901-650978 651652-651679 655000-655019 655021-655058",
  ],
  ["hipercard", "606282 384100 384140 384160"],
  ["aura", "5078"],
  ["amex", "34 37"],
  ["diners", "300-305 36 38-39"],
  ["mastercard", "503143 503175 51-55 2221-2229 223-229 23-26 270-271 2720"], // split, to match as few digits as possible
  ["maestro", "500000-509999 56-59 6304 67"], // six digits, because a shorter prefix may also be an Elo
  ["visa", "4"],
];

/**
 * The brand of a card by its first digits, for a logo next to the input. Call it on every keystroke: the brand can change
 * while the buyer types, for example from Visa to Elo at the sixth digit.
 *
 * A hint only: ranges change, so do not refuse a card because its brand is unknown.
 *
 * ```ts
 * cardBrand("4111 1"); // "visa"
 * cardBrand("4011 78"); // "elo"
 * cardBrand("6011 0000"); // undefined
 * ```
 *
 * @param input - The number as typed so far. Spaces and dashes are ignored; full-width digits are read as digits.
 * @returns `undefined` if there are too few digits or no brand matches.
 */
export function cardBrand(input: string): CardBrand | undefined {
  const digits = withoutSeparators(toAscii(input));
  if (!/^\d+$/.test(digits)) return undefined;
  const isWithin = (range: string) => {
    const [from = "", to = from] = range.split("-");
    const prefix = digits.slice(0, from.length);
    return prefix.length === from.length && from <= prefix && prefix <= to;
  };
  return RANGES.find(([, ranges]) => ranges.split(" ").some(isWithin))?.[0];
}

/**
 * Formats a card number in the groups that the card shows. Call it on every keystroke: it removes everything but digits,
 * keeps at most 19 of them, does not end with a space, and leaves its own result unchanged.
 *
 * ```ts
 * formatCardNumber("4111111111111111"); // "4111 1111 1111 1111"
 * formatCardNumber("378282246310005"); // "3782 822463 10005"
 * formatCardNumber("41111"); // "4111 1"
 * ```
 */
export function formatCardNumber(input: string): string {
  const digits = toAscii(input).replaceAll(/\D/g, "").slice(0, CARD_NUMBER_DIGITS.max);
  const brand = cardBrand(digits);
  // Groups of four, six and five digits. Diners numbers with more than 14 digits have groups of four.
  const isUneven = brand === "amex" || (brand === "diners" && digits.length <= 14);
  const groups = isUneven ? /(?<=^\d{4})\d{1,6}|(?<=^\d{10})\d{1,5}|\d{1,4}/g : /\d{1,4}/g;
  return (digits.match(groups) ?? []).join(" ");
}

/**
 * Whether the check digit of a card number is correct (Luhn algorithm, ISO/IEC 7812-1, annex B). Most typing mistakes
 * make it wrong.
 *
 * A hint only: published test cards such as 4024007153763191 fail it, and `CardTokenizer` does not require it.
 *
 * ```ts
 * isLuhnValid("4111 1111 1111 1111"); // true
 * isLuhnValid("4111 1111 1111 1112"); // false
 * ```
 *
 * @param input - Spaces and dashes are ignored. Any other character that is not a digit makes it `false`.
 */
export function isLuhnValid(input: string): boolean {
  const digits = withoutSeparators(toAscii(input));
  return /^\d{2,}$/.test(digits) && hasLuhnDigit(digits);
}

/**
 * The number of digits in the security code of a brand: four for Amex, three for the others.
 *
 * @returns `undefined` if the brand is unknown: the code may have three or four digits.
 */
export function securityCodeLength(brand: CardBrand | undefined): number | undefined {
  if (brand === undefined) return undefined;
  return brand === "amex" ? 4 : 3;
}

/** An expiry date in the format of the service. */
export interface Expiry {
  /** `MM`. */
  readonly expirationMonth: string;
  /** `YYYY`. */
  readonly expirationYear: string;
}

/** The text in ASCII, with the month first: in ISO 8601 and `<input type="month">`, the year is. */
function withMonthFirst(input: string): string {
  const yearFirst = /^(2\d{3})(?:[\s/.-]*(\d\d)|[\s/.-]+(\d))(?:[\s/.-]+\d+)?$/;
  return toAscii(input).trim().replace(yearFirst, "$2$3/$1");
}

/**
 * Parses an expiry date from one input, typed by the buyer or filled in by the browser.
 *
 * ```ts
 * parseExpiry("03/31"); // { expirationMonth: "03", expirationYear: "2031" }
 * parseExpiry("3 / 2031"); // the same
 * parseExpiry("0331"); // the same
 * parseExpiry("2031-03"); // the same; also "203103" and "2031-03-31"
 * parseExpiry("13/31"); // undefined
 * ```
 *
 * Spread the result into the card to tokenize: `{ number, holderName, cvv, ...expiry }`. A date in the past is accepted:
 * {@link isExpired} detects it.
 *
 * @returns `undefined` unless it is a month from 1 to 12 and a year of two or four digits.
 */
export function parseExpiry(input: string): Expiry | undefined {
  const parts = /^(0[1-9]|1[0-2]|[1-9](?=\D))[\s/.-]*(2\d{3}|\d{2})$/.exec(withMonthFirst(input));
  if (parts === null) return undefined;
  const [, month = "", year = ""] = parts;
  return { expirationMonth: month.padStart(2, "0"), expirationYear: year.padStart(4, "20") };
}

/**
 * Formats an expiry date as `MM/YY` while it is typed. Call it on every keystroke: it leaves its own result unchanged,
 * and a year of four digits becomes one of two as soon as it is complete. A month that does not exist is kept, for the
 * buyer to correct: a zero is added only to a digit that is the whole text or stands before a separator.
 *
 * ```ts
 * formatExpiry("4"); // "04/"
 * formatExpiry("0439"); // "04/39"
 * formatExpiry("4/2039"); // "04/39"
 * formatExpiry("2039-04"); // "04/39"
 * ```
 */
export function formatExpiry(input: string): string {
  const text = withMonthFirst(input)
    .replace(/^\D+/, "")
    .replace(/^([2-9]$|\d(?=\D))/, "0$1/");
  const digits = text.replaceAll(/\D/g, "");
  const year = digits.slice(2, 6).replace(/^20(?=\d\d)/, "");
  // "20" can be the start of a year of four digits: no card of 2020 is valid any more.
  const shown = year.startsWith("20") ? year : year.slice(0, 2);
  const hasSlash = shown !== "" || /^\d\d\D/.test(text);
  return digits.slice(0, 2) + (hasSlash ? `/${shown}` : "");
}

/**
 * Whether a card has expired: it is valid until the last day of its month, in every time zone.
 *
 * A hint only, because the clock of the device may be wrong: let the buyer correct the date.
 *
 * @param now - Default: the current time.
 */
export function isExpired(
  { expirationMonth, expirationYear }: Expiry,
  now: Date | number = Date.now(),
): boolean {
  // The time zone in which a month ends last is twelve hours behind UTC.
  return Number(now) >= Date.UTC(Number(expirationYear), Number(expirationMonth), 1, 12);
}
