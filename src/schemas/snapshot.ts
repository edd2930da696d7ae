import type { FoundIssue } from "./found-issue.ts";

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
  return copy(value, [], [], { issues, left: MAX_VALUES });
}

function copy(value: unknown, path: readonly string[], above: readonly object[], copying: Copying): unknown {
  if (typeof value === "string") {
    refuseHalves(value, path, copying);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return refuse(path, "must not contain itself", copying);
  if (above.length >= MAX_DEPTH) return refuse(path, "is nested too deeply", copying);
  try {
    return copyObject(value, path, [...above, value], copying);
  } catch {
    return refuse(path, "could not be read", copying);
  }
}

/** Half of a surrogate pair is no character: it would arrive as another text than was sent. */
function refuseHalves(text: string, path: readonly string[], copying: Copying): void {
  if (!text.isWellFormed()) refuse(path, "must not contain half of a surrogate pair", copying);
}

function refuse(path: readonly string[], message: string, { issues }: Copying): undefined {
  issues.push({ path, message });
  return undefined;
}

function copyObject(
  value: object,
  path: readonly string[],
  above: readonly object[],
  copying: Copying,
): unknown {
  // The outermost one is copied all the same: what it is made of is what the caller passed in.
  if (above.length > 1 && "toJSON" in value) return value;
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (let index = 0; index < value.length && hasRoom(path, copying); index += 1) {
      entries.push(readMember(value, String(index), path, above, copying));
    }
    return entries;
  }
  const plain: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!hasRoom(path, copying)) break;
    refuseHalves(key, [...path, key], copying);
    plain[key] = readMember(value, key, path, above, copying);
  }
  return plain;
}

/** Whether one more value may be copied; the first one too many is an issue. */
function hasRoom(path: readonly string[], copying: Copying): boolean {
  copying.left -= 1;
  if (copying.left === -1) refuse(path, TOO_MANY_VALUES, copying);
  return copying.left >= 0;
}

function readMember(
  holder: object,
  key: string,
  path: readonly string[],
  above: readonly object[],
  copying: Copying,
): unknown {
  const here = [...path, key];
  let member: unknown;
  try {
    member = Reflect.get(holder, key);
  } catch {
    return refuse(here, "could not be read", copying);
  }
  return copy(member, here, above, copying);
}
