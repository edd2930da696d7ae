import { newBare } from "./own.ts";

/** Deeper data than this is a mistake, such as a cycle through a proxy. */
const MAX_DEPTH = 64;

/**
 * More values than this are a mistake, such as an array with one entry at four thousand million. A full
 * `metadata` holds a third of them.
 */
const MAX_VALUES = 100_000;

export const TOO_MANY_VALUES = "holds too many values";

/** One copy that is being made. */
interface Copying {
  readonly issues: FoundIssue[];
  /** Where in the value it is; copied only for an issue, because most values have none. */
  readonly path: string[];
  /** The objects around the one that is being copied. */
  readonly above: object[];
  /** How many more values it may hold. */
  left: number;
}

/**
 * A plain copy of what a caller passed in: read once, so that a getter which throws becomes an issue and
 * one which changes its mind changes nothing between the check and the send.
 *
 * Values inside it that know how to become JSON (a `CardToken`, a `Date`) stay as they are.
 */
export function snapshot(value: unknown, issues: FoundIssue[]): unknown {
  return copy(value, { issues, path: [], above: [], left: MAX_VALUES });
}

function copy(value: unknown, copying: Copying): unknown {
  if (typeof value === "string") {
    refuseHalves(value, copying);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  const { above } = copying;
  if (above.includes(value)) return refuse("must not contain itself", copying);
  if (above.length >= MAX_DEPTH) return refuse("is nested too deeply", copying);
  above.push(value);
  try {
    return copyObject(value, copying);
  } catch {
    return refuse("could not be read", copying);
  } finally {
    above.pop();
  }
}

/** Half of a surrogate pair is no character: it would arrive as another text than was sent. */
function refuseHalves(text: string, copying: Copying): void {
  if (!text.isWellFormed()) refuse("must not contain half of a surrogate pair", copying);
}

function refuse(message: string, { issues, path }: Copying): undefined {
  issues.push({ path: [...path], message });
  return undefined;
}

function copyObject(value: object, copying: Copying): unknown {
  // The outermost one is copied all the same: what it is made of is what the caller passed in.
  if (copying.above.length > 1 && "toJSON" in value) return value;
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (let index = 0; index < value.length && hasRoom(copying); index += 1) {
      entries.push(copyMember(value, String(index), copying));
    }
    return entries;
  }
  const plain = new newBare();
  for (const key of Object.keys(value)) {
    if (!hasRoom(copying)) break;
    plain[key] = copyMember(value, key, copying);
  }
  return plain;
}

/** Whether one more value may be copied; the first one too many is an issue. */
function hasRoom(copying: Copying): boolean {
  copying.left -= 1;
  if (copying.left === -1) refuse(TOO_MANY_VALUES, copying);
  return copying.left >= 0;
}

function copyMember(holder: object, key: string, copying: Copying): unknown {
  copying.path.push(key);
  refuseHalves(key, copying);
  const copied = copy(read(holder, key, copying), copying);
  copying.path.pop();
  return copied;
}

function read(holder: object, key: string, copying: Copying): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return refuse("could not be read", copying);
  }
}

/** A problem with something that a caller passed in. */
export interface FoundIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
