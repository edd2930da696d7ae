import { Redactor } from "../data/redactor.ts";
import type { FoundIssue } from "../data/snapshot.ts";

/** One thing that is wrong with a request. */
export interface Issue {
  /** Dotted path in the service's own notation, such as `items.0.unitPrice`; empty for the whole body. */
  readonly field: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/** A message names so many; all of them are in `issues`. */
const MOST_IN_A_MESSAGE = 20;

/** The issues as one line of a message. @internal */
export function listIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MOST_IN_A_MESSAGE);
  const lines = named.map(({ field, message }) => (field === "" ? message : `${field} ${message}`));
  if (issues.length > named.length) lines.push(`and ${issues.length - named.length} more`);
  return lines.join("; ");
}

/** Knows no secret of its own, but a name that a caller made up may look like one. */
const redactor = new Redactor([]);

/** A longer name than this is no name. */
const LONGEST_STEP = 64;

/** Found problems with the service's own dotted paths, such as `items.0.unitPrice`. */
export function toIssues(found: readonly FoundIssue[]): Issue[] {
  return found.map(({ path, message }) => ({
    field: path.map((step) => showName(String(step))).join("."),
    message,
  }));
}

/** A name that a caller made up, as it may stand in an error: without what looks like a secret, and short. */
export function showName(name: string): string {
  const clean = redactor.text(name).replaceAll(SECRET_NAMES, "[redacted]");
  return clean.length > LONGEST_STEP ? `${clean.slice(0, LONGEST_STEP)}...` : clean;
}

/** The number of a card, in groups or not, and a URL. */
const SECRET_NAMES = /\d(?:[ -]?\d){11,}|\w+:\/\/\S+/g;
