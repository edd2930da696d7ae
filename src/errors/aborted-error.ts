import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The `signal` passed to the call was aborted.
 *
 * Aborting cannot undo a request: once a create call was sent, its `outcome` is `unknown`. `cause` has the name of the
 * signal's reason, such as `TimeoutError`, and its message only if the reason is an error of this package.
 *
 * @remarks
 * If `outcome` is `unknown`, wait for the postback or check the payment with the service. If it is `not_sent`, you can
 * send the request again.
 */
export class AbortedError extends PaymentsError {
  override readonly name = "AbortedError";
  readonly code = "aborted";

  /** @hidden */
  constructor(context: ErrorContext) {
    super("The call was aborted by its signal.", "merchant", context);
  }
}
