import type { Redactor } from "../data/redactor.ts";
import { AbortedError } from "../errors/aborted-error.ts";
import type { ErrorContext } from "../errors/outcome.ts";
import { isPaymentsError } from "../errors/payments-error.ts";
import { sanitizeError } from "../errors/sanitize-error.ts";

/** The error of a call whose signal was aborted. The reason may be any value, another call's error among them. */
export function abortedError(signal: AbortSignal, context: ErrorContext, redactor: Redactor): AbortedError {
  return new AbortedError({ ...context, cause: causeOf(signal.reason, redactor) });
}

/**
 * A copy of the reason. Its message stays only if this package wrote it: any other may hold card data, of which a create
 * knows nothing, and the caller has the signal.
 */
function causeOf(reason: unknown, redactor: Redactor): Error | undefined {
  const copy = sanitizeError(reason, redactor);
  if (copy === undefined || isPaymentsError(reason)) return copy;
  const name = /^[a-z]+$/i.test(copy.name) ? copy.name : "Error";
  return Object.assign(new Error(), { name });
}
