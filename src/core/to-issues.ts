import type { FoundIssue } from "../schemas/found-issue.ts";
import type { Issue } from "./errors/issue.ts";
import { Redactor } from "./redaction.ts";

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
