import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The caller's `signal` ended the call.
 *
 * Aborting takes nothing back: once a create was sent, its `outcome` is `unknown`. `cause` has the name of the
 * signal's reason, `TimeoutError` for example, and its message if the reason is an error of this package: another call's
 * error says nothing about this call.
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
