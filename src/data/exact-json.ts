/** Sixteen digits in a row, with a point or without, may be more than a number holds exactly. */
const MAYBE_INEXACT = /[:[,]\s*-?[\d.]{16,}/;

/**
 * `JSON.parse`, except that a number stays text which would become another whole number, being beyond 2^53 - 1 or
 * having more decimal places than fit: `JSON.parse` rounds it without a word, and a rounded id is the id of another
 * transaction.
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
  if (typeof value !== "number" || !Number.isInteger(value) || source === undefined) return value;
  const wasRounded = Number.isSafeInteger(value) ? /\.\d*[1-9]\d*$/ : /^-?\d+$/;
  return wasRounded.test(source) ? source : value;
}
