import type * as z from "zod/mini";
import { type ForeignNames, unknownNames } from "./known-names.ts";
import type { FoundIssue } from "./snapshot.ts";
import { TOO_MANY_VALUES } from "./snapshot.ts";

export type Validated<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

/**
 * Checks a plain copy of what a caller passed in and makes it what goes on the wire. All problems come back together:
 * those that copying it found, wrong values, and names that are not known, with the nearest known one.
 *
 * @internal
 */
export function validatePlain<Schema extends z.ZodMiniType>(
  schema: Schema,
  plain: unknown,
  known: readonly FoundIssue[],
  foreign: ForeignNames = {},
): Validated<z.output<Schema>> {
  // What is too much to be copied is too much to be looked at.
  if (known.some(({ message }) => message === TOO_MANY_VALUES)) return { ok: false, issues: known };
  const issues = [...known, ...orUnreadable(() => unknownNames(schema, plain, foreign))];
  const parsed = parse(schema, plain);
  if (parsed.ok && issues.length === 0) return { ok: true, value: parsed.value };
  const explained = new Set(issues.map(({ path }) => path.join(".")));
  issues.push(...parsed.issues.filter(({ path }) => !explained.has(path.join("."))));
  return { ok: false, issues };
}

/** A value that knows how to become JSON was not copied, so that its getters may still throw. */
function orUnreadable(find: () => FoundIssue[]): FoundIssue[] {
  try {
    return find();
  } catch {
    return [UNREADABLE];
  }
}

const UNREADABLE: FoundIssue = { path: [], message: "could not be read" };

type Parsed<Output> =
  | { readonly ok: true; readonly value: Output; readonly issues: readonly FoundIssue[] }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

function parse<Schema extends z.ZodMiniType>(schema: Schema, plain: unknown): Parsed<z.output<Schema>> {
  try {
    const parsed = schema.safeParse(plain);
    if (parsed.success) return { ok: true, value: parsed.data, issues: [] };
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.map(asName), message }));
    return { ok: false, issues };
  } catch {
    return { ok: false, issues: [UNREADABLE] };
  }
}

function asName(step: PropertyKey): string | number {
  return typeof step === "number" ? step : String(step);
}
