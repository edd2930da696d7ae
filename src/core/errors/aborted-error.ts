import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The caller's `signal` ended the call.
 *
 * Aborting takes nothing back: once a create was sent, its `outcome` is `unknown`.
 */
export class AbortedError extends PaymentsError {
  override readonly name = "AbortedError";
  readonly code = "aborted";

  constructor(context: ErrorContext) {
    super("The call was aborted by its signal.", "merchant", context);
  }
}
