import * as z from "zod/mini";
import { isRecord, ownProperty, PlainObject } from "./own-properties.ts";

/** A problem with something that the caller passed in. */
export interface FoundIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * More values than this are a mistake, such as an array with one entry at index four billion. A `metadata` of the
 * maximum size has a third of this number.
 */
const MAX_VALUES = 100_000;

const TOO_MANY_VALUES = "contains too many values";
const NOT_A_FIELD = "is not a field of the specification (to send it anyway, use extraBody)";
export const HIDDEN_DATA = "must be a plain object";
const HALF_CHARACTER = "must not contain half of a surrogate pair";

/** The state of one copy. */
interface Copying {
  readonly issues: FoundIssue[];
  readonly path: string[];
  /** The objects around the current value. */
  readonly parents: object[];
  valuesLeft: number;
}

/**
 * A plain copy of what the caller passed in. Each property is read once, so that a getter that throws becomes an issue,
 * and one that returns different values cannot change anything between the check and the send. Properties that are
 * `undefined` are left out. Nested values that have a `toJSON` (a `CardToken`, a `Date`) are not copied.
 */
export function snapshot(root: unknown, issues: FoundIssue[]): unknown {
  return copy({ root }, "root", { issues, path: [], parents: [], valuesLeft: MAX_VALUES });
}

function copy(holder: object, key: string | number, copying: Copying): unknown {
  const { parents } = copying;
  const depth = parents.length;
  try {
    if (!String(key).isWellFormed()) refuse(HALF_CHARACTER, copying);
    const value: unknown = Reflect.get(holder, key);
    // The service would receive another text.
    if (typeof value === "string") return value.isWellFormed() ? value : refuse(HALF_CHARACTER, copying);
    if (typeof value !== "object" || value === null) return value;
    if (parents.includes(value)) return refuse("must not contain itself", copying);
    // A mistake, such as a cycle through a proxy.
    if (depth >= 64) return refuse("is nested too deeply", copying);
    // The outermost object is copied anyway: its properties are what the caller passed in.
    if (depth > 0 && "toJSON" in value) return value;
    if (hasHiddenData(value)) return refuse(HIDDEN_DATA, copying);
    parents.push(value);
    return copyMembers(value, copying);
  } catch {
    return refuse("could not be read", copying);
  } finally {
    parents.length = depth;
  }
}

function copyMembers(value: object, copying: Copying): unknown {
  const isArray = Array.isArray(value);
  const entries: unknown[] = [];
  const plain = new PlainObject();
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    copying.valuesLeft -= 1;
    if (copying.valuesLeft === -1) refuse(TOO_MANY_VALUES, copying);
    // The fields of the outermost object are always read: one of them is the reference of the order.
    if (copying.valuesLeft < 0 && (copying.parents.length > 1 || isArray)) break;
    copying.path.push(String(key));
    const member = copy(value, key, copying);
    copying.path.pop();
    if (isArray) entries.push(member);
    else if (member !== undefined) plain[key] = member;
  }
  return isArray ? entries : plain;
}

function refuse(message: string, { issues, path }: Copying): void {
  issues.push({ path: [...path], message });
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

export type Validated<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

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

/** Insertions, deletions and replacements that turn one word into the other. */
function distance(from: string, to: string): number {
  let edits = to.length;
  let above = Array.from({ length: to.length }, (_, column) => column + 1);
  for (const [row, letter] of [...from].entries()) {
    let diagonal = row;
    edits = row + 1;
    above = above.map((up, column) => {
      edits = Math.min(diagonal + (letter === to[column] ? 0 : 1), up + 1, edits + 1);
      diagonal = up;
      return edits;
    });
  }
  return edits;
}

/** The known name that was probably meant, if one is close enough. Case, underscores and dashes do not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined; // not a typo, and comparing it costs time
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, "");
  const near = known.flatMap((candidate) => {
    const edits = distance(plain(name), plain(candidate));
    // Two swapped letters are two edits; in a name of two or three letters, that is another name.
    const allowed = candidate.length > 3 ? Math.max(2, Math.floor(candidate.length / 3)) : 1;
    return edits <= allowed ? [{ candidate, edits }] : [];
  });
  return near.sort((one, other) => one.edits - other.edits)[0]?.candidate;
}

/** What is wrong with a name that does not exist: `otherwise`, unless a known name was probably meant. */
export function explainUnknown(name: string, known: readonly string[], otherwise: string): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? otherwise : `is not a known field (did you mean ${nearest}?)`;
}

/**
 * Why a value cannot be an `externalRef`; `undefined` if it can. Does not check the length.
 *
 * Databases do not store every text: Node 22 reads a text from SQLite only up to a NUL, and UTF-8 cannot encode a lone
 * surrogate. Two orders would then become one.
 */
export function referenceProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed()) return HALF_CHARACTER;
  return /\p{Cc}/u.test(value) ? "must not contain control characters" : undefined;
}

/** The fields of an object, which may be optional or converted; `undefined` for any other schema. */
export function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
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
