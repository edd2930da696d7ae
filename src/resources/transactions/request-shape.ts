import * as z from "zod/mini";
import { isRecord, ownProperty } from "../../data/own-properties.ts";
import {
  explainUnknown,
  type FoundIssue,
  snapshot,
  TOO_MANY_VALUES,
  type Validated,
} from "../../data/validate.ts";

const NOT_A_FIELD = "is not a field of the specification (to send it anyway, use extraBody)";

/** What the parameters of a request look like. */
export interface RequestShape<Schema extends z.ZodMiniType> {
  /** Its objects are strict. */
  readonly schema: Schema;
  /** Dotted paths of names that exist elsewhere in the API, and why they are refused here. */
  readonly refused: Readonly<Record<string, string>>;
}

/**
 * Checks a plain copy of what the caller passed in and converts it to what is sent. All problems are returned together:
 * those found while copying, unknown names with the nearest known one, and wrong values.
 */
export function validate<Schema extends z.ZodMiniType>(
  { schema, refused }: RequestShape<Schema>,
  plain: unknown,
  found: readonly FoundIssue[],
): Validated<z.output<Schema>> {
  // What could not be copied, or is too large, is not checked.
  if (found.some(({ path, message }) => path.length === 0 || message === TOO_MANY_VALUES)) {
    return { ok: false, issues: found };
  }
  const issues = [...found];
  try {
    const parsed = schema.safeParse(plain);
    if (parsed.success && issues.length === 0) return { ok: true, value: parsed.data };
    const explained = new Set(issues.map(({ path }) => path.join(".")));
    for (const issue of parsed.error?.issues ?? []) {
      const path = issue.path.map(String);
      if (issue.code === "unrecognized_keys") {
        const known = Object.keys(fieldsOf(path.reduce(memberOf, schema)) ?? {});
        for (const name of issue.keys) {
          const here = [...path, name];
          const message = ownProperty(refused, here.join(".")) ?? explainUnknown(name, known, NOT_A_FIELD);
          issues.push({ path: here, message: String(message) });
        }
      } else if (!explained.has(path.join("."))) issues.push({ path, message: issue.message });
    }
  } catch {
    // A value with a `toJSON` was not copied, so its getters may still throw.
    issues.push({ path: [], message: "could not be read" });
  }
  return { ok: false, issues };
}

/** The fields of an object, which may be optional or converted; `undefined` for any other schema. */
function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodMiniObject ? inner.shape : undefined;
}

/** The schema of a field, or of an entry of an array. */
function memberOf(schema: unknown, step: string): unknown {
  const inner = unwrap(schema);
  return inner instanceof z.ZodMiniArray ? inner.def.element : fieldsOf(inner)?.[step];
}

/** The schema inside of one that is optional, or that converts its value. */
function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return unwrap(schema.def.innerType);
  return schema instanceof z.ZodMiniPipe ? unwrap(schema.def.in) : schema;
}

type Fields = Readonly<Record<string, unknown>>;
type Shape = RequestShape<z.ZodMiniType>;

/**
 * The request with the fields that the SDK does not know, unchanged. Fields that it knows are parameters, at every
 * level: here they would not be checked, so they are an issue.
 *
 * @param otherShape - The shape of the other payment method.
 */
export function addExtraBody(
  request: Fields,
  extraBody: unknown,
  { schema, refused }: Shape,
  otherShape: Shape,
): { readonly wire: Fields; readonly issues: readonly FoundIssue[] } {
  const issues: FoundIssue[] = [];
  const otherFields = fieldsOf(otherShape.schema) ?? {};

  const findProblem = (name: string, value: unknown, known: Fields, path: readonly string[]) => {
    // In JavaScript, `__proto__` would change the object itself, and a `toJSON` would replace what was checked.
    if (name === "__proto__" || (name === "toJSON" && typeof value === "function"))
      return "is not a name that can be sent";
    if (Object.hasOwn(known, name)) {
      const isInside = isRecord(value) && fieldsOf(known[name]) !== undefined;
      return isInside ? undefined : "is a field of the SDK: pass it as a parameter";
    }
    const isOfOtherMethod = path.length === 1 && Object.hasOwn(otherFields, name);
    return isOfOtherMethod ? "belongs to the other method" : ownProperty(refused, path.join("."));
  };
  const merge = (into: unknown, extra: Fields, known: Fields, path: readonly string[]) => {
    const merged: Record<string, unknown> = isRecord(into) ? { ...into } : {};
    for (const [name, value] of Object.entries(extra)) {
      const here = [...path, name];
      const message = findProblem(name, value, known, here);
      const inner = fieldsOf(ownProperty(known, name));
      if (typeof message === "string") issues.push({ path: here, message });
      else if (inner !== undefined && isRecord(value))
        merged[name] = merge(ownProperty(merged, name), value, inner, here);
      else merged[name] = value;
    }
    return merged;
  };

  const extra = snapshot(extraBody, issues);
  const wire = isRecord(extra) ? merge(request, extra, fieldsOf(schema) ?? {}, []) : request;
  if (!isRecord(extra)) issues.push({ path: [], message: "must be an object" });
  try {
    JSON.stringify(extra);
  } catch {
    issues.push({ path: [], message: "cannot be written as JSON" });
  }
  return { wire, issues: issues.map(({ path, message }) => ({ path: ["extraBody", ...path], message })) };
}
