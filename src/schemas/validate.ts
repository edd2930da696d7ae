import type * as z from "zod/mini";
import type { FoundIssue } from "./found-issue.ts";
import { nearestName } from "./nearest-name.ts";
import { isRecord } from "./read-fields.ts";
import { snapshot, TOO_MANY_VALUES } from "./snapshot.ts";

export type Validated<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

/** Names that exist elsewhere in the API, with the reason why they are refused here. */
export type ForeignNames = Readonly<Record<string, string>>;

/**
 * Checks what a caller passed in and makes it what goes on the wire. All problems come back together:
 * values that cannot be read, wrong values, and names that are not known, with the nearest known one.
 */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  foreign?: ForeignNames,
): Validated<z.output<Schema>> {
  const issues: FoundIssue[] = [];
  return validatePlain(schema, snapshot(input, issues), issues, foreign);
}

/** {@link validate} for what is a plain copy already, with the problems that copying it found. */
export function validatePlain<Schema extends z.ZodMiniType>(
  schema: Schema,
  plain: unknown,
  known: readonly FoundIssue[],
  foreign: ForeignNames = {},
): Validated<z.output<Schema>> {
  // What is too much to be copied is too much to be looked at.
  if (known.some(({ message }) => message === TOO_MANY_VALUES)) return { ok: false, issues: known };
  const issues = [...known, ...orUnreadable(() => unknownNames(schema, plain, [], foreign))];
  const explained = new Set(issues.map(({ path }) => path.join(".")));
  const parsed = parse(schema, plain);
  issues.push(...parsed.issues.filter(({ path }) => !explained.has(path.join("."))));
  return issues.length === 0 && parsed.ok ? { ok: true, value: parsed.value } : { ok: false, issues };
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

/** The parts of a zod schema that are walked to find the names that it knows. */
interface Walkable {
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly _zod: {
    readonly def: {
      readonly innerType?: z.ZodMiniType;
      readonly element?: z.ZodMiniType;
      readonly in?: z.ZodMiniType;
    };
  };
}

/** What a schema says of the field at a path; `undefined` where it knows none. */
export function fieldAt(
  schema: z.ZodMiniType | undefined,
  path: readonly string[],
): z.ZodMiniType | undefined {
  const [name, ...rest] = path;
  if (schema === undefined || name === undefined) return schema;
  const { shape, _zod } = schema as unknown as Walkable;
  const inner = _zod.def.innerType ?? _zod.def.in;
  if (inner !== undefined) return fieldAt(inner, path);
  return shape !== undefined && Object.hasOwn(shape, name) ? fieldAt(shape[name], rest) : undefined;
}

/** Whether a schema is of an object with fields of its own. */
export function hasFields(schema: z.ZodMiniType): boolean {
  const { shape, _zod } = schema as unknown as Walkable;
  const inner = _zod.def.innerType ?? _zod.def.in;
  return inner === undefined ? shape !== undefined : hasFields(inner);
}

function unknownNames(
  schema: z.ZodMiniType,
  value: unknown,
  path: readonly (string | number)[],
  foreign: ForeignNames,
): FoundIssue[] {
  const { shape, _zod } = schema as unknown as Walkable;
  const { element } = _zod.def;
  const inner = _zod.def.innerType ?? _zod.def.in;
  if (inner !== undefined) return unknownNames(inner, value, path, foreign);
  if (element !== undefined && Array.isArray(value)) {
    return value.flatMap((entry, index) => unknownNames(element, entry, [...path, index], foreign));
  }
  if (shape === undefined || !isRecord(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known !== undefined) return unknownNames(known, value[key], [...path, key], foreign);
    return value[key] === undefined ? [] : [{ path: [...path, key], message: explain(key, shape, foreign) }];
  });
}

function explain(key: string, shape: Readonly<Record<string, unknown>>, foreign: ForeignNames): string {
  const reason = Object.hasOwn(foreign, key) ? foreign[key] : undefined;
  if (reason !== undefined) return reason;
  const meant = nearestName(key, Object.keys(shape));
  return meant === undefined
    ? "is not a field that the specification names (extraBody sends such fields as they are)"
    : `is not a known field (did you mean ${meant}?)`;
}
