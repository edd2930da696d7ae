import { fieldAt, hasFields, reasonAt } from "../../data/known-names.ts";
import { isRecord } from "../../data/own.ts";
import type { FoundIssue } from "../../data/snapshot.ts";
import { snapshot } from "../../data/snapshot.ts";
import { CardRequest, FOREIGN_TO_CARD, PixRequest } from "./request.ts";

/** Names that one method or the other knows. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(PixRequest.shape),
  ...Object.keys(CardRequest.shape),
]);

/**
 * Whether a field means the object's own inner workings to JavaScript, and nothing to the service. A `toJSON`
 * would put something else in the place of what was checked.
 */
function isDangerous(name: string, value: unknown): boolean {
  return name === "__proto__" || (name === "toJSON" && typeof value === "function");
}

/**
 * The request with the fields that the SDK does not know yet, as they are. Those that it knows are
 * parameters, at every level: here they would pass unchecked, and are an issue.
 */
export function withExtraBody(
  request: Readonly<Record<string, unknown>>,
  extraBody: unknown,
  issues: FoundIssue[],
): Readonly<Record<string, unknown>> {
  if (extraBody === undefined) return request;
  const found: FoundIssue[] = [];
  const extra = snapshot(extraBody, found);
  issues.push(...found.map(({ path, message }) => ({ path: ["extraBody", ...path], message })));
  if (!isRecord(extra)) {
    issues.push({ path: ["extraBody"], message: "must be an object" });
    return request;
  }
  return merge(request, extra, [], request["paymentMethod"] === "pix" ? PixRequest : CardRequest, issues);
}

function merge(
  into: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
  path: readonly string[],
  schema: typeof PixRequest | typeof CardRequest,
  issues: FoundIssue[],
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...into };
  for (const [name, value] of Object.entries(extra)) {
    const here = [...path, name];
    const known = fieldAt(schema, here);
    const problem = problemWith(here, value, known);
    if (problem !== undefined) issues.push({ path: ["extraBody", ...here], message: problem });
    else if (known === undefined || !isRecord(value)) merged[name] = value;
    else {
      const present = Object.hasOwn(into, name) ? into[name] : undefined;
      merged[name] = merge(isRecord(present) ? present : {}, value, here, schema, issues);
    }
  }
  return merged;
}

function problemWith(
  path: readonly string[],
  value: unknown,
  known: ReturnType<typeof fieldAt>,
): string | undefined {
  const name = path.at(-1) ?? "";
  if (isDangerous(name, value)) return "is not a name that can be sent";
  if (known === undefined) {
    if (path.length === 1) return KNOWN.has(name) ? "belongs to the other method" : undefined;
    return reasonAt(path, FOREIGN_TO_CARD);
  }
  return isRecord(value) && hasFields(known) ? undefined : "is a field of its own: give it as a parameter";
}
