/**
 * What is between the digits of a number that people type or paste: spaces, dashes of every length, and invisible
 * characters such as a soft hyphen, a zero-width space or a mark of the writing direction.
 */
const SEPARATORS = /[\s\p{Dash}\p{Cf}]/gu;

export function withoutSeparators(text: string): string {
  return text.replaceAll(SEPARATORS, "");
}
