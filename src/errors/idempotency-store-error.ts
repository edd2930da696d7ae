import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The idempotency store failed or did not respond in time. `cause` is a redacted copy of its error.
 *
 * It is thrown, with `outcome` `not_sent`, only if the store failed before the request was sent. After that, the call
 * returns or throws as it would without a store, and an `error` event reports this error with the outcome of the call;
 * the reference stays claimed until a postback or `resolve()` resolves it.
 *
 * @remarks
 * Fix the store, then send the order again with the same `externalRef`: the store still has its records of earlier
 * calls. This error describes its own call only, so an earlier call for the order may have charged the customer.
 */
export class IdempotencyStoreError extends PaymentsError {
  override readonly name = "IdempotencyStoreError";
  readonly code = "idempotency_store_failed";

  /** @hidden */
  constructor(message: string, context: ErrorContext) {
    super(message, "merchant", context);
  }
}
