import * as z from "zod/mini";
import { describeType, NOT_AN_INTEGER, toInteger } from "./json.ts";
import { isRecord, ownProperty } from "./own-properties.ts";

/** {@link toInteger} as a schema. */
export const Integer = z.pipe(
  z.custom<number | string>((value) => toInteger(value) !== undefined, NOT_AN_INTEGER),
  z.transform((value) => toInteger(value) ?? 0),
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

/**
 * Reads the fields of a response so that an unexpected field affects no other: it is left out and added to `drift`.
 */
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
    } else if (isRecord(received)) read[key] = readFields(schema, received, field, drift);
    else read[key] = readFields(schema, {}, field, []);
    if (!isExpected) drift.push({ field, message: `is ${describeType(received)}` });
  }
  return read as PartialFields<F>;
}
