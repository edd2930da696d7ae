import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The idempotency store failed, or did not answer in time. `cause` is a copy of its own error.
 *
 * Thrown with the outcome `not_sent`, where it failed before the request left. Where it failed afterwards the call
 * ends as it would have, and an `error` event brings this error: the outcome is then that of the call, and the
 * reference stays claimed until a postback or a person settles it.
 *
 * @remarks
 * Mend the store, then send the order again with the same `externalRef`. A store that is back tells whether an earlier call
 * for it charged the customer: this error speaks of its own call alone.
 */
export class IdempotencyStoreError extends PaymentsError {
  override readonly name = "IdempotencyStoreError";
  readonly code = "idempotency_store_failed";

  /** @hidden */
  constructor(message: string, context: ErrorContext) {
    super(message, "merchant", context);
  }
}
