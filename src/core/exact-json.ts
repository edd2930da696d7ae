/** Sixteen digits in a row may be more than a number holds exactly. */
const MAYBE_INEXACT = /[:[,]\s*-?\d{16,}/;

/**
 * `JSON.parse`, except that a whole number beyond 2^53 - 1 becomes its digits as a string: `JSON.parse`
 * rounds it without a word, and a rounded id is the id of another transaction.
 *
 * @throws {SyntaxError} where the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  return MAYBE_INEXACT.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** {@link parseExactJson}, with `undefined`, which no JSON text yields, for a text that is not JSON. */
export function parseIfJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  const inexact = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return inexact && source !== undefined && /^-?\d+$/.test(source) ? source : value;
}
