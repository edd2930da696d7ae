import type { Redactor } from "../data/redactor.ts";

/** Deeper causes are dropped. */
const MAX_DEPTH = 4;

/**
 * A redacted copy of an error: its name, message, code and causes. The error itself may include the request, which
 * contains the key and the card.
 */
export function sanitizeError(
  error: unknown,
  redactor: Pick<Redactor, "text">,
  depth = 0,
): Error | undefined {
  if (depth >= MAX_DEPTH || typeof error !== "object" || error === null) return undefined;
  const { name, message, code, cause } = readErrorFields(error);
  const inner = sanitizeError(cause, redactor, depth + 1);
  const text = typeof message === "string" ? redactor.text(message) : "";
  const copy = new Error(text, inner === undefined ? undefined : { cause: inner });
  copy.name = typeof name === "string" ? redactor.text(name) : "Error";
  // The stack of the copy would show this function, and the original's first line repeats the unredacted message.
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === "string") Object.assign(copy, { code: redactor.text(code) });
  return copy;
}

/** The properties of an error that the SDK reads. */
export type ErrorFields = Partial<
  Record<"name" | "message" | "code" | "syscall" | "cause" | "errors", unknown>
>;

/** Reads the fields of a thrown object; none if a getter throws. */
export function readErrorFields(error: object): ErrorFields {
  try {
    const { name, message, code, syscall, cause, errors } = error as ErrorFields;
    return { name, message, code, syscall, cause, errors };
  } catch {
    return {};
  }
}
