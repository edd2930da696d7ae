import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The answer, body included, did not come within `timeout`.
 *
 * It says nothing about the charge, unless it is proven that nothing was sent yet, during the TLS handshake for example:
 * then `outcome` is `not_sent`. See {@link ConnectionError}.
 *
 * @remarks
 * Do not send a create again where its `outcome` is `unknown`: wait for the postback, or look the payment up in the dashboard
 * of the service. Any other call was tried again up to `maxRetries` times: try it later.
 */
export class TimeoutError extends PaymentsError {
  override readonly name = "TimeoutError";
  readonly code = "timed_out";
  /** Milliseconds that were given: to one attempt, or by a `CardTokenizer` to all of them together. */
  readonly timeoutMs: number;

  /** @hidden */
  constructor(timeoutMs: number, context: ErrorContext) {
    super(`The service did not answer within ${timeoutMs} ms.`, "network", context);
    this.timeoutMs = timeoutMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), timeoutMs: this.timeoutMs };
  }
}
