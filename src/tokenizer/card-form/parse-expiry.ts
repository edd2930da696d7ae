/** A date of expiry, as the service wants it. */
export interface Expiry {
  /** `MM`. */
  readonly expirationMonth: string;
  /** `YYYY`. */
  readonly expirationYear: string;
}

const APART = /^(0?[1-9]|1[0-2])[\s/.-]+(2\d{3}|\d{2})$/;
const TOGETHER = /^(0[1-9]|1[0-2])(2\d{3}|\d{2})$/;

/**
 * The date of expiry that a buyer typed into one input, or that a browser filled in.
 *
 * ```ts
 * parseExpiry("03/31"); // { expirationMonth: "03", expirationYear: "2031" }
 * parseExpiry("3 / 2031"); // the same
 * parseExpiry("0331"); // the same
 * parseExpiry("13/31"); // undefined
 * ```
 *
 * The result fits into the card of a tokenization: `{ number, holderName, cvv, ...expiry }`. Whether the date is past
 * is left to the service, whose clock is right.
 *
 * @returns `undefined` where it is no month from 1 to 12 and a year of two or four digits.
 */
export function parseExpiry(input: string): Expiry | undefined {
  const [, month, year] = APART.exec(input.trim()) ?? TOGETHER.exec(input.trim()) ?? [];
  if (month === undefined || year === undefined) return undefined;
  return { expirationMonth: month.padStart(2, "0"), expirationYear: year.padStart(4, "20") };
}
