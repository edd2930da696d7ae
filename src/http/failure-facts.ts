import type { Redactor } from "../data/redactor.ts";
import { withoutConsequence } from "../errors/outcome.ts";
import { isPaymentsError } from "../errors/payments-error.ts";
import { type ErrorFacts, readError, sanitizeError } from "../errors/sanitize-error.ts";
import type { TransportFailure } from "./platform.ts";

/** A code of an error, and what failed with it. */
export interface FailureCode {
  readonly code: string;
  readonly syscall: unknown;
}

/** What a failure says of itself, before anything is concluded from it. */
export interface FailureFacts {
  /** From the outermost error to its deepest cause. */
  readonly codes: readonly FailureCode[];
  readonly deepestMessage: string;
  /** The failure without what it may hold of the request. */
  readonly cause: Error | undefined;
}

export function factsOf(error: unknown, redactor: Redactor): FailureFacts {
  const cause = sanitizeError(error, redactor);
  // What the error of another call says about its own charge would mislead here.
  if (isPaymentsError(error)) {
    return { codes: [], deepestMessage: withoutConsequence(cause?.message ?? ""), cause };
  }
  return { codes: codesOf(error, redactor), deepestMessage: deepestMessage(cause), cause };
}

/** A failure of which nothing but its own words is known. */
export function asItSays({ codes, deepestMessage, cause }: FailureFacts): TransportFailure {
  const code = codes.at(-1)?.code;
  const more = code ?? deepestMessage;
  const what = code === undefined ? "no answer came" : "it broke off";
  return { detail: more === "" ? what : `${what} (${more})`, cause };
}

/** A longer text than this is no reason, but a report. */
const LONGEST_REASON = 120;

function deepestMessage(error: Error | undefined): string {
  let deepest = error;
  while (deepest?.cause instanceof Error) deepest = deepest.cause;
  return deepest?.message.slice(0, LONGEST_REASON) ?? "";
}

function codesOf(error: unknown, redactor: Redactor): FailureCode[] {
  const found: FailureCode[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const { code, cause, ...rest } = readError(current);
    const clean = typeof code === "string" ? redactor.text(code) : "";
    if (/^[A-Z\d_]{2,60}$/.test(clean)) found.push({ code: clean, syscall: syscallOf(rest) });
    current = cause;
  }
  return found;
}

/** What failed. Node tries each address of a name, and gives the failures of all of them together. */
function syscallOf({ syscall, errors }: Pick<ErrorFacts, "syscall" | "errors">): unknown {
  if (!Array.isArray(errors) || errors.length === 0) return syscall;
  const all = new Set(errors.map((error) => readError(Object(error)).syscall));
  return all.size === 1 ? [...all][0] : undefined;
}
