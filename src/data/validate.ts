import { isRecord, PlainObject } from "./own-properties.ts";

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

export const TOO_MANY_VALUES = "contains too many values";
export const HIDDEN_DATA = "must be a plain object";
const HALF_CHARACTER = "must not contain half of a surrogate pair";

/** The state of one copy. */
interface Copying {
  readonly issues: FoundIssue[];
  readonly path: (string | number)[];
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
  const { parents, path } = copying;
  const depth = parents.length;
  if (depth > 0) path.push(key);
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
    if (depth > 0) path.pop();
  }
}

function copyMembers(value: object, copying: Copying): unknown {
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (let at = 0; at < value.length && hasRoom(copying); at += 1) {
      entries.push(copy(value, at, copying));
    }
    return entries;
  }
  const plain = new PlainObject();
  const isOutermost = copying.parents.length === 1;
  for (const name of Object.keys(value)) {
    // The fields of the outermost object are always read: one of them is the reference of the order.
    if (!hasRoom(copying) && !isOutermost) break;
    const member = copy(value, name, copying);
    if (member !== undefined) plain[name] = member;
  }
  return plain;
}

/** Counts a value before it is copied. `false` if there are too many. */
function hasRoom(copying: Copying): boolean {
  copying.valuesLeft -= 1;
  if (copying.valuesLeft === -1) refuse(TOO_MANY_VALUES, copying);
  return copying.valuesLeft >= 0;
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
