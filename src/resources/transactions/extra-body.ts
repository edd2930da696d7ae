import type * as z from "zod/mini";
import { isRecord, ownProperty } from "../../data/own-properties.ts";
import { type FoundIssue, fieldsOf, type RequestShape, snapshot } from "../../data/validate.ts";

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
