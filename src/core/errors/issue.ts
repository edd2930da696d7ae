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
