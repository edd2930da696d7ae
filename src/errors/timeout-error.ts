import { describeService, type ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The response, including its body, did not arrive within `timeout`.
 *
 * The customer may have been charged, unless it is proven that nothing was sent, for example because the TLS handshake
 * had not finished: then `outcome` is `not_sent`. See {@link ConnectionError}.
 *
 * @remarks
 * If `outcome` is `unknown`, wait for the postback or check the payment with the service; otherwise send the request
 * again later. Reads and tokenization were already retried up to `maxRetries` times.
 */
export class TimeoutError extends PaymentsError {
  override readonly name = "TimeoutError";
  readonly code = "timed_out";
  /** The time limit in milliseconds: for one attempt, or in a `CardTokenizer` for all attempts together. */
  readonly timeoutMs: number;

  /** @hidden */
  constructor(timeoutMs: number, context: ErrorContext) {
    super(`The ${describeService(context)} did not respond within ${timeoutMs} ms.`, "network", context);
    this.timeoutMs = timeoutMs;
  }
}
