/**
 * Why a value cannot be an `externalRef`; `undefined` if it can, apart from its length.
 *
 * Databases do not keep every text: Node 22 reads a text from SQLite only up to a NUL, and UTF-8 has no half of a
 * character. Two orders would then become one.
 */
export function referenceProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed()) return "must not hold half of a character";
  return /\p{Cc}/u.test(value) ? "must not hold control characters" : undefined;
}
