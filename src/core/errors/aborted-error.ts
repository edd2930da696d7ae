import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The caller's `signal` ended the call.
 *
 * Aborting takes nothing back: once a create was sent, its `outcome` is `unknown`.
 *
 * @remarks
 * Do not send a create again where its `outcome` is `unknown`: wait for the postback, or look the payment up in the dashboard of
 * the service. Where it is `not_sent`, it may be sent again.
 */
export class AbortedError extends PaymentsError {
  override readonly name = "AbortedError";
  readonly code = "aborted";

  /** @hidden */
  constructor(context: ErrorContext) {
    super("The call was aborted by its signal.", "merchant", context);
  }
}
