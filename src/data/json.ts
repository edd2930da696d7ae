import * as z from "zod/mini";
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

/** {@link toInteger} as a schema. Marked as pure, so that a buyer's page loads no zod for it. */
export const Integer = /* @__PURE__ */ z.pipe(
  /* @__PURE__ */ z.custom<number | string>((value) => toInteger(value) !== undefined),
  /* @__PURE__ */ z.transform((value) => toInteger(value) ?? 0),
);

/** A field of a response that differs from the specification. */
export interface Drift {
  /** Dotted path in the response, such as `data.customer.phone`. */
  readonly field: string;
  /** What is different, without the value. */
  readonly message: string;
}

/** Fields of an object in a response: the schema of each, or the fields of an object inside. */
interface Fields {
  readonly [name: string]: z.ZodMiniType | Fields;
}

type Present<Value> = Exclude<Value, null | undefined>;

/** The fields of an object, each of which may be missing. Objects inside are there, and may be empty. */
export type PartialFields<F extends Fields> = {
  -readonly [Key in keyof F as F[Key] extends z.ZodMiniType ? Key : never]?: Present<z.output<F[Key]>>;
} & {
  -readonly [Key in keyof F as F[Key] extends z.ZodMiniType ? never : Key]: F[Key] extends Fields
    ? PartialFields<F[Key]>
    : never;
};

/** Reads the fields of a response so that an unexpected field affects no other: it is left out and added to `drift`. */
export function readFields<F extends Fields>(
  fields: F,
  value: Readonly<Record<string, unknown>>,
  path: string,
  drift: Drift[],
): PartialFields<F> {
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(fields)) {
    const received = ownProperty(value, key);
    const field = path === "" ? key : `${path}.${key}`;
    let isExpected = isRecord(received);
    if (schema instanceof z.ZodMiniType) {
      const { data, success } = schema.safeParse(received);
      if (data !== undefined) read[key] = data;
      isExpected = success && typeof data === typeof received;
    } else {
      read[key] = isRecord(received)
        ? readFields(schema, received, field, drift)
        : readFields(schema, {}, field, []);
    }
    if (!isExpected) drift.push({ field, message: `is ${describeType(received)}` });
  }
  return read as PartialFields<F>;
}
