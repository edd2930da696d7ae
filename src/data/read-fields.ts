import * as z from "zod/mini";
import { describeType, NOT_AN_INTEGER, toInteger } from "./json.ts";
import { isRecord, own } from "./own.ts";

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

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type Present<Value> = Exclude<Value, null | undefined>;

/** The fields of a schema, each of which may be missing. */
export type PartialFields<F extends Fields> = { [Key in keyof F]?: Present<z.output<F[Key]>> };

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
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    const received = own(value, key);
    const parsed = (fields[key] as z.ZodMiniType).safeParse(received);
    if (parsed.success && parsed.data !== undefined) read[key] = parsed.data;
    if (!parsed.success || typeof parsed.data !== typeof received) {
      drift.push({ field: path === "" ? key : `${path}.${key}`, message: `is ${describeType(received)}` });
    }
  }
  return read as PartialFields<F>;
}

/** The object in a field; anything else is added to `drift`. */
export function readRecord(
  value: unknown,
  field: string,
  drift: Drift[],
): Record<string, unknown> | undefined {
  if (isRecord(value)) return value;
  drift.push({ field, message: `is ${describeType(value)}` });
  return undefined;
}

/** The fields of an object inside `parent`; none if it is missing. */
export function readNested<F extends Fields>(
  fields: F,
  parent: Record<string, unknown> | undefined,
  name: string,
  path: string,
  drift: Drift[],
): PartialFields<F> {
  const record = parent && readRecord(own(parent, name), path, drift);
  return record === undefined ? {} : readFields(fields, record, path, drift);
}
