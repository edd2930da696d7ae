import { isRecord, own } from "../../data/own.ts";
import { type FoundIssue, type KnownFields, type RequestShape, snapshot } from "../../data/validate.ts";

/**
 * The request with the fields that the SDK does not know, unchanged. Fields that it knows are parameters, at every
 * level: here they would not be checked, so they are an issue.
 */
export function addExtraBody(
  request: Fields,
  extraBody: unknown,
  shape: Shape,
  otherShape: Shape,
): { readonly wire: Fields; readonly issues: readonly FoundIssue[] } {
  const issues: FoundIssue[] = [];
  const extra = snapshot(extraBody, issues);
  if (!isRecord(extra)) {
    issues.push({ path: [], message: "must be an object" });
    return { wire: request, issues: issues.map(inExtraBody) };
  }
  const explain = { refused: shape.refused, otherFields: otherShape.fields };
  const wire = merge(request, extra, shape.fields, [], explain, issues);
  try {
    JSON.stringify(extra);
  } catch {
    issues.push({ path: [], message: "cannot be written as JSON" });
  }
  return { wire, issues: issues.map(inExtraBody) };
}

type Fields = Readonly<Record<string, unknown>>;

function inExtraBody({ path, message }: FoundIssue): FoundIssue {
  return { path: ["extraBody", ...path], message };
}

type Shape = Pick<RequestShape<never>, "fields" | "refused">;

/** The data that explains why a field is refused. */
interface Explanations {
  readonly refused: Shape["refused"];
  /** The fields of the other payment method. */
  readonly otherFields: KnownFields;
}

function merge(
  into: Fields,
  extra: Fields,
  fields: KnownFields,
  path: readonly string[],
  explain: Explanations,
  issues: FoundIssue[],
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...into };
  for (const [name, value] of Object.entries(extra)) {
    const here = [...path, name];
    const known = own(fields, name);
    const message = findProblem(here, value, known, explain);
    if (message !== undefined) issues.push({ path: here, message });
    else if (isRecord(known) && isRecord(value)) {
      const present = own(into, name);
      merged[name] = merge(
        isRecord(present) ? present : {},
        value,
        known as KnownFields,
        here,
        explain,
        issues,
      );
    } else merged[name] = value;
  }
  return merged;
}

function findProblem(
  path: readonly string[],
  value: unknown,
  known: unknown,
  { refused, otherFields }: Explanations,
): string | undefined {
  const name = path.at(-1) ?? "";
  // In JavaScript, `__proto__` would change the object itself, and a `toJSON` would replace what was checked.
  if (name === "__proto__" || (name === "toJSON" && typeof value === "function"))
    return "is not a name that can be sent";
  if (known !== undefined) {
    const isObject = isRecord(value) && isRecord(known);
    return isObject ? undefined : "is a field of the SDK: pass it as a parameter";
  }
  if (path.length === 1 && Object.hasOwn(otherFields, name)) return "belongs to the other method";
  const reason = own(refused, path.join("."));
  return path.length > 1 && typeof reason === "string" ? reason : undefined;
}
