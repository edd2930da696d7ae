import type * as z from "zod/mini";

/** A field of an answer that is not as the specification says. */
export interface Deviation {
  /** Dotted path in the answer, such as `data.customer.phone`. */
  readonly field: string;
  /** What is different, without the value. */
  readonly message: string;
}

export type Shape = Readonly<Record<string, z.ZodMiniType>>;

type Present<Value> = Exclude<Value, null | undefined>;

/** What reading by a shape gives: every field may be missing, none is of a type that the shape does not allow. */
export type Fields<S extends Shape> = { [Key in keyof S]?: Present<z.output<S[Key]>> };

/**
 * Reads the fields of `shape` one by one, so that a field which surprises us takes no other with it:
 * it is left out and told as a deviation.
 */
export function readFields<S extends Shape>(
  shape: S,
  value: Readonly<Record<string, unknown>>,
  path: string,
  deviate: (deviation: Deviation) => void,
): Fields<S> {
  const fields: Record<string, unknown> = {};
  const tell = (key: string, received: unknown) =>
    deviate({ field: path === "" ? key : `${path}.${key}`, message: `came as ${typeName(received)}` });
  for (const key in shape) {
    if (!Object.hasOwn(shape, key)) continue;
    const received = Object.hasOwn(value, key) ? value[key] : undefined;
    const parsed = parse(shape[key] as z.ZodMiniType, received);
    if (parsed === WRONG) {
      tell(key, received);
    } else if (parsed !== undefined) {
      fields[key] = parsed;
      if (typeof parsed !== typeof received) tell(key, received);
    }
  }
  return fields as Fields<S>;
}

const WRONG = Symbol("wrong");
const CONTEXT = { async: false };

/** `safeParse` without the objects that it makes around each of the many fields. None of them is asynchronous. */
function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = schema._zod.run({ value, issues: [] }, CONTEXT) as z.core.ParsePayload;
  return parsed.issues.length === 0 ? parsed.value : WRONG;
}

/** What a value is, said without the value. */
export function typeName(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" && value === "" ? "an empty string" : `a ${typeof value}`;
}
