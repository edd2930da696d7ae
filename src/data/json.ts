/** Sixteen digits in a row, with or without a point, may be more than a number can represent exactly. */
const MAYBE_INEXACT = /(?:^|[:[,])\s*-?[\d.]{16,}/;

/** In JSON: a whole string, which is skipped, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[^\s,\]}]*/g;

/** Parsing more values blocks the event loop for too long: 5 MB of `[` take a second. */
const MAX_VALUES = 250_000;

/**
 * `JSON.parse`, except that a number stays text if `JSON.parse` would round it to another whole number: a rounded id is
 * the id of another transaction.
 *
 * @throws {SyntaxError} if the text is not JSON, or has more than 250,000 values.
 */
export function parseExactJson(text: string): unknown {
  if (hasTooManyValues(text)) throw new SyntaxError();
  const value: unknown = JSON.parse(text);
  // Not with a reviver, which fails on deeply nested values, and sees the digits only on newer platforms.
  return MAYBE_INEXACT.test(text) ? JSON.parse(text.replaceAll(STRING_OR_NUMBER, quoteIfRounded)) : value;
}

/** Whether a text has too many values to be parsed as JSON. */
export function hasTooManyValues(text: string): boolean {
  return text.length > MAX_VALUES && text.split(/[[{,]/, MAX_VALUES + 2).length > MAX_VALUES + 1;
}

/** Like {@link parseExactJson}, but returns `undefined` for a text that is not JSON. */
export function parseIfJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function quoteIfRounded(source: string): string {
  const value = Number(source);
  if (!Number.isInteger(value)) return source;
  const wasRounded = Number.isSafeInteger(value) ? /\.\d*[1-9]\d*$/ : /^-?\d+$/;
  return wasRounded.test(source) ? `"${source}"` : source;
}

const INTEGER_TEXT = /^-?\d{1,16}$/;

export const NOT_AN_INTEGER = "must be a whole number of at most 2^53 - 1";

/** A whole number that JavaScript can represent exactly; the service may send it as a string. */
export function toInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && INTEGER_TEXT.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined; // -0 is 0
}

/** An id of the service; a string of digits if a number cannot represent it exactly. */
export function toId(value: unknown): number | string | undefined {
  const integer = toInteger(value);
  if (integer !== undefined) return integer > 0 ? integer : undefined;
  return typeof value === "string" && /^\d{16,40}$/.test(value) ? value : undefined;
}

/** The type of a value, without the value: what follows "is" in a message. */
export function describeType(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" && value === "" ? "an empty string" : `a ${typeof value}`;
}
