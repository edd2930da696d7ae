import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** The answer, body included, did not come within `timeout`. */
export class TimeoutError extends PaymentsError {
  override readonly name = "TimeoutError";
  readonly code = "timed_out";
  /** Milliseconds that were given: to one attempt, or by a `CardTokenizer` to all of them together. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number, context: ErrorContext) {
    super(`The service did not answer within ${timeoutMs} ms.`, "network", context);
    this.timeoutMs = timeoutMs;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), timeoutMs: this.timeoutMs };
  }
}
