import * as z from "zod/mini";
import { nearestName } from "./nearest-name.ts";
import { isRecord, newBare, own } from "./own.ts";

/** A problem with something that the caller passed in. */
export interface FoundIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Data nested more deeply than this is a mistake, such as a cycle through a proxy. */
const MAX_DEPTH = 64;

/**
 * More values than this are a mistake, such as an array with one entry at index four billion. A `metadata` of the
 * maximum size has a third of this number.
 */
const MAX_VALUES = 100_000;

const TOO_MANY_VALUES = "contains too many values";
export const HIDDEN_DATA = "must be a plain object";
const HALF_CHARACTER = "must not contain half of a surrogate pair";

/** The state of one copy. */
interface Copying {
  /** The path of the current value; copied only for an issue, because most values have none. */
  readonly path: string[];
  /** The objects around the current value. */
  readonly parents: object[];
  /** How many more values may be copied. */
  left: number;
}

/**
 * A plain copy of what the caller passed in. Each property is read once, so that a getter that throws becomes an issue,
 * and one that returns different values cannot change anything between the check and the send. Properties that are
 * `undefined` are left out. Nested values that have a `toJSON` (a `CardToken`, a `Date`) are not copied.
 */
export function snapshot(
  value: unknown,
  issues: FoundIssue[],
  copying: Copying = { path: [], parents: [], left: MAX_VALUES },
): unknown {
  const { path, parents } = copying;
  if (typeof value === "string") {
    // The service would receive another text.
    return value.isWellFormed() ? value : refuse(HALF_CHARACTER, path, issues);
  }
  if (typeof value !== "object" || value === null) return value;
  if (parents.includes(value)) return refuse("must not contain itself", path, issues);
  if (parents.length >= MAX_DEPTH) return refuse("is nested too deeply", path, issues);
  parents.push(value);
  try {
    // The outermost object is copied anyway: its properties are what the caller passed in.
    if (parents.length > 1 && "toJSON" in value) return value;
    if (hasHiddenData(value)) return refuse(HIDDEN_DATA, path, issues);
    return copyMembers(value, issues, copying);
  } catch {
    return refuse("could not be read", path, issues);
  } finally {
    parents.pop();
  }
}

function copyMembers(value: object, issues: FoundIssue[], copying: Copying): unknown {
  const entries: unknown[] = [];
  const plain = new newBare();
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (isOverLimit(value, issues, copying)) break;
    copying.path.push(String(key));
    const member = copyMember(value, key, issues, copying);
    copying.path.pop();
    if (typeof key === "number") entries.push(member);
    else if (member !== undefined) plain[key] = member;
  }
  return Array.isArray(value) ? entries : plain;
}

/** Counts one more value. The fields of the outermost object are always read: one is the reference of the order. */
function isOverLimit(holder: object, issues: FoundIssue[], copying: Copying): boolean {
  copying.left -= 1;
  if (copying.left === -1) refuse(TOO_MANY_VALUES, copying.path, issues);
  return copying.left < 0 && (copying.parents.length > 1 || Array.isArray(holder));
}

/**
 * Whether a copy of an object, and its JSON, would be empty although it has data: a `Map`, a `URLSearchParams`, or an
 * instance of a class with getters.
 */
export function hasHiddenData(value: object): boolean {
  if (Array.isArray(value) || Object.keys(value).length > 0) return false;
  if (Object.prototype.toString.call(value) !== "[object Object]") return true;
  if (Object.getOwnPropertyNames(value).length > 0) return true;
  for (let at: unknown = Object.getPrototypeOf(value); isRecord(at); at = Object.getPrototypeOf(at)) {
    if (Object.getPrototypeOf(at) === null) return false; // each realm has its own Object.prototype
    const inherited = Object.values(Object.getOwnPropertyDescriptors(at));
    if (inherited.some(({ get, enumerable }) => get !== undefined || enumerable)) return true;
  }
  return false;
}

function copyMember(holder: object, key: string | number, issues: FoundIssue[], copying: Copying): unknown {
  if (typeof key === "string" && !key.isWellFormed()) refuse(HALF_CHARACTER, copying.path, issues);
  try {
    return snapshot(Reflect.get(holder, key), issues, copying);
  } catch {
    return refuse("could not be read", copying.path, issues);
  }
}

function refuse(message: string, path: readonly string[], issues: FoundIssue[]): undefined {
  issues.push({ path: [...path], message });
  return undefined;
}

export type Validated<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

/** Dotted paths of names that exist elsewhere in the API, and why they are refused here. */
export type RefusedNames = Readonly<Record<string, string>>;

/** What the parameters of a request look like. */
export interface RequestShape<Schema extends z.ZodMiniType> {
  /** Its objects are strict. */
  readonly schema: Schema;
  readonly refused: RefusedNames;
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
      const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
      if (issue.code === "unrecognized_keys") {
        const known = Object.keys(fieldsOf(path.reduce(memberOf, schema)) ?? {});
        for (const name of issue.keys) {
          const here = [...path, name];
          const message = own(refused, here.join(".")) ?? explainUnknown(name, known);
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

function explainUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? "is not a field of the specification (to send it anyway, use extraBody)"
    : `is not a known field (did you mean ${nearest}?)`;
}

/** The fields of an object, which may be optional or converted; `undefined` for any other schema. */
export function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodMiniObject ? inner.shape : undefined;
}

/** The schema of a field, or of an entry of an array. */
function memberOf(schema: unknown, step: string | number): unknown {
  const inner = unwrap(schema);
  return inner instanceof z.ZodMiniArray ? inner.def.element : fieldsOf(inner)?.[step];
}

/** The schema inside of one that is optional, or that converts its value. */
function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return unwrap(schema.def.innerType);
  return schema instanceof z.ZodMiniPipe ? unwrap(schema.def.in) : schema;
}
