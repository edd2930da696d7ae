import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The idempotency store failed, or did not answer in time. `cause` is a copy of its own error.
 *
 * Thrown with the outcome `not_sent`, where it failed before the request left. Where it failed afterwards the call
 * ends as it would have, and an `error` event brings this error: the outcome is then that of the call, and the
 * reference stays claimed until a postback or a person settles it.
 */
export class IdempotencyStoreError extends PaymentsError {
  override readonly name = "IdempotencyStoreError";
  readonly code = "idempotency_store_failed";

  constructor(message: string, context: ErrorContext) {
    super(message, "merchant", context);
  }
}
