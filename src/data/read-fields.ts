import * as z from "zod/mini";
import { describeType, NOT_AN_INTEGER, toInteger } from "./json.ts";
import { bare, isRecord, own } from "./own.ts";

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
  schema: z.ZodMiniObject<F>,
  value: Readonly<Record<string, unknown>>,
  path: string,
  drift: Drift[],
): PartialFields<F> {
  const { shape } = schema;
  const received = bare(value);
  // All at once; one by one only if that fails.
  const all = schema.safeParse(received);
  const read: Record<string, unknown> = {};
  for (const key in shape) {
    if (!Object.hasOwn(shape, key)) continue;
    const field = received[key];
    const single = all.success ? undefined : (shape[key] as z.ZodMiniType).safeParse(field);
    const parsed = all.success ? own(all.data, key) : single?.data;
    if (parsed !== undefined) read[key] = parsed;
    if (single?.success === false || typeof parsed !== typeof field) {
      drift.push({ field: path === "" ? key : `${path}.${key}`, message: `is ${describeType(field)}` });
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
  schema: z.ZodMiniObject<F>,
  parent: Record<string, unknown> | undefined,
  name: string,
  path: string,
  drift: Drift[],
): PartialFields<F> {
  const record = parent && readRecord(own(parent, name), path, drift);
  return record === undefined ? {} : readFields(schema, record, path, drift);
}
