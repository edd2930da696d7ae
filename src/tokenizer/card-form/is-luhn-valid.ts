/**
 * Whether the check digit of a card number fits the others (Luhn's formula, ISO/IEC 7812-1, annex B): what most
 * typing mistakes break.
 *
 * Use it for a hint and not to refuse: published test cards fail it (4024007153763191), and `CardTokenizer` does not
 * ask for it.
 *
 * ```ts
 * isLuhnValid("4111 1111 1111 1111"); // true
 * isLuhnValid("4111 1111 1111 1112"); // false
 * ```
 *
 * @param input - Spaces and dashes do not count. Anything else that is no digit makes it `false`.
 */
export function isLuhnValid(input: string): boolean {
  const digits = input.replaceAll(/[\s-]/g, "");
  if (!/^\d{2,}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
