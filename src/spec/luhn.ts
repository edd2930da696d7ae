/**
 * Whether the last digit of a number is its check digit (Luhn algorithm, ISO/IEC 7812-1, annex B).
 *
 * @param digits - Digits only.
 */
export function hasLuhnDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
