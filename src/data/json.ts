import { isRecord, ownProperty } from "./own-properties.ts";

/** Parsing more values blocks the event loop for too long: 5 MB of `[` take a second. */
const MAX_VALUES = 250_000;

/**
 * `JSON.parse`, except that a number stays text if `JSON.parse` would round it to another whole number: a rounded id is
 * the id of another transaction.
 *
 * @returns `undefined` if the text is not JSON, or has more than 250,000 values.
 */
export function parseIfJson(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Sixteen digits in a row, with or without a point, may be more than a number can represent exactly.
    return /(?:^|[:[,])\s*-?[\d.]{16,}/.test(text) ? JSON.parse(quoteRounded(text)) : value;
  } catch {
    return undefined;
  }
}

/** Whether a text has too many values to be parsed as JSON. */
export function hasTooManyValues(text: string): boolean {
  return text.length > MAX_VALUES && text.split(/[[{,]/, MAX_VALUES + 2).length > MAX_VALUES + 1;
}

/**
 * Quotes the numbers that `JSON.parse` would round, and skips strings. A reviver would fail on deeply nested values, and
 * sees the digits only on newer platforms.
 */
function quoteRounded(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[^\s,\]}]*/g, (source) => {
    const value = Number(source);
    if (!Number.isInteger(value)) return source;
    const rounded = Number.isSafeInteger(value) ? /\.\d*[1-9]\d*$/ : /^-?\d+$/;
    return rounded.test(source) ? `"${source}"` : source;
  });
}

/** A whole number that JavaScript can represent exactly; the service may send it as a string. */
export function toInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
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
  if (value === "") return "an empty string";
  if (typeof value !== "object") return `a ${typeof value}`;
  return Array.isArray(value) ? "an array" : "an object";
}

/** A field of a response that differs from the specification. */
export interface Drift {
  /** Dotted path in the response, such as `data.customer.phone`. */
  readonly field: string;
  /** What is different, without the value. */
  readonly message: string;
}

/** Converts a value of a response; `undefined` if it has another type. */
interface Converter<Value> {
  (value: unknown): Value | undefined;
  /** Whether the field may be missing. */
  readonly isOptional?: true;
}

export const toText: Converter<string> = (value) => (typeof value === "string" ? value : undefined);
export const toTexts: Converter<string[]> = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string") ? [...value] : undefined;
export const toFlag: Converter<boolean> = (value) => (typeof value === "boolean" ? value : undefined);

/** The field may be missing. */
export function optional<Value>(convert: Converter<Value>): Converter<Value> {
  return Object.assign((value: unknown) => convert(value), { isOptional: true } as const);
}

/** Fields of an object in a response: the type of each, or the fields of an object inside. */
interface Fields {
  readonly [name: string]: Converter<unknown> | Fields;
}

/** The fields of an object, each of which may be missing. Objects inside are there, and may be empty. */
export type PartialFields<F extends Fields> = {
  -readonly [Key in keyof F as F[Key] extends Converter<unknown> ? Key : never]?: F[Key] extends Converter<
    infer V
  >
    ? V
    : never;
} & {
  -readonly [Key in keyof F as F[Key] extends Converter<unknown> ? never : Key]: F[Key] extends Fields
    ? PartialFields<F[Key]>
    : never;
};

/**
 * Reads the fields of an object so that an unexpected field affects no other: it is left out and added to `drift`.
 *
 * @param path - What is before the names in the paths of fields: empty, or with a dot at its end.
 */
export function readFields<F extends Fields>(
  fields: F,
  object: Readonly<Record<string, unknown>>,
  path: string,
  drift: Drift[],
): PartialFields<F> {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const type = fields[name] as Fields[string];
    const received = ownProperty(object, name);
    const inner = isRecord(received) ? received : undefined;
    const value =
      typeof type === "function"
        ? type(received)
        : readFields(type, inner ?? {}, `${path}${name}.`, inner ? drift : []);
    if (value !== undefined) read[name] = value;
    if (isExpected(type, received, value)) continue;
    drift.push({ field: path + name, message: `is ${describeType(received)}` });
  }
  return read as PartialFields<F>;
}

function isExpected(type: Fields[string], received: unknown, value: unknown): boolean {
  if (typeof type !== "function") return isRecord(received);
  return received === undefined ? type.isOptional === true : typeof value === typeof received;
}
