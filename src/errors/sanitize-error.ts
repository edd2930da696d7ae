import type { Redactor } from "../data/redactor.ts";

/** Causes of causes beyond this tell nothing more. */
const MAX_DEPTH = 4;

/**
 * A copy of a transport's error that is safe to show: its name, message, code and causes. The error
 * itself may hold the request, and the request holds the key and the card.
 */
export function sanitizeError(error: unknown, redactor: Redactor, depth = 0): Error | undefined {
  if (depth >= MAX_DEPTH || typeof error !== "object" || error === null) return undefined;
  const { name, message, code, cause } = readError(error);
  const inner = sanitizeError(cause, redactor, depth + 1);
  const copy = new Error(
    typeof message === "string" ? redactor.text(message) : "",
    inner === undefined ? undefined : { cause: inner },
  );
  copy.name = typeof name === "string" ? redactor.text(name) : "Error";
  // Where we caught it says nothing about where it happened, and the first line repeats the message.
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === "string") Object.assign(copy, { code: redactor.text(code) });
  return copy;
}

/** What an error may tell of itself. */
export type ErrorFacts = Partial<
  Record<"name" | "message" | "code" | "syscall" | "cause" | "errors", unknown>
>;

/** What an error tells of itself; a caller's `fetch` may throw anything, also what cannot be read. */
export function readError(error: object): ErrorFacts {
  try {
    const { name, message, code, syscall, cause, errors } = error as ErrorFacts;
    return { name, message, code, syscall, cause, errors };
  } catch {
    return {};
  }
}
