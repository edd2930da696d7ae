import { CARD_NUMBER_DIGITS } from "../../spec/limits.ts";
import { type CardBrand, cardBrand } from "./card-brand.ts";

/** How many digits stand together on the card, where it is not four by four. */
const GROUPS: Partial<Record<CardBrand, readonly number[]>> = {
  amex: [4, 6, 5],
  diners: [4, 6, 4],
};

/** Diners numbers with more digits than this stand four by four. */
const SHORT_DINERS = 14;

/**
 * A card number in the groups in which it stands on the card. Made for every keystroke: it takes out whatever is no
 * digit, keeps 19 digits at most, ends without a space, and changes nothing that it has formatted before.
 *
 * ```ts
 * formatCardNumber("4111111111111111"); // "4111 1111 1111 1111"
 * formatCardNumber("378282246310005"); // "3782 822463 10005"
 * formatCardNumber("41111"); // "4111 1"
 * ```
 */
export function formatCardNumber(input: string): string {
  const digits = input.replaceAll(/\D/g, "").slice(0, CARD_NUMBER_DIGITS.max);
  const groups: string[] = [];
  const lengths = groupsOf(digits);
  for (let at = 0; at < digits.length; ) {
    const length = lengths[groups.length] ?? 4;
    groups.push(digits.slice(at, at + length));
    at += length;
  }
  return groups.join(" ");
}

function groupsOf(digits: string): readonly number[] {
  const brand = cardBrand(digits);
  if (brand === undefined || (brand === "diners" && digits.length > SHORT_DINERS)) return [];
  return GROUPS[brand] ?? [];
}
