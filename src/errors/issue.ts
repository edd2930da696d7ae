import { REDACTED, redactShapes } from "../data/redactor.ts";
import type { FoundIssue } from "../data/validate.ts";

/** One problem with a request, a response or a postback. */
export interface Issue {
  /** Dotted path in the service's notation, such as `items.0.unitPrice`; empty for the whole body. */
  readonly field: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/** The first issues as one line for a message. @internal */
export function listIssues(issues: readonly Issue[], max = 20): string {
  const listed = issues.slice(0, max);
  const lines = listed.map(({ field, message }) => (field === "" ? message : `${field} ${message}`));
  if (issues.length > max) lines.push(`and ${issues.length - max} more`);
  return lines.join("; ");
}

/** A text that continues the name of a field, with or without that name: `must be set`, `email must be set`. */
const PREDICATE = /^(?:"?([\w.]+)"? )?(must|should|is|has|cannot)( .*)/is;

/**
 * The issues of the service as one line for a message. Services write `Must be ...`, `email must be ...` or
 * `Invalid email`, with or without a full stop. @internal
 */
export function quoteIssues(issues: readonly Issue[]): string {
  const quoted = issues.map(({ field, message }) => {
    const text = message.replace(/[\s.]+$/, "");
    const [, name = "", verb, rest] = PREDICATE.exec(text) ?? [];
    if (field === "" || verb === undefined || !field.endsWith(name)) {
      return { field: field && `${field}:`, message: text };
    }
    return { field, message: verb.toLowerCase() + rest };
  });
  return listIssues(quoted, 5); // their texts may be long
}

/** A card number, grouped or not, or a URL. */
const SECRETS_IN_NAMES = /\d(?:[ -]?\d){11,}|\w+:\/\/\S+/g;

/** Converts validation problems to issues with the service's dotted paths. @internal */
export function toIssues(found: readonly FoundIssue[]): Issue[] {
  return found.map(({ path, message }) => ({
    field: path.map((step) => showName(String(step))).join("."),
    message,
  }));
}

/** A property name from untrusted input, redacted and shortened so that an error may contain it. */
export function showName(name: string): string {
  const clean = redactShapes(name).replaceAll(SECRETS_IN_NAMES, REDACTED);
  return clean.length > 64 ? `${clean.slice(0, 64)}...` : clean;
}
