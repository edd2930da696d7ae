import { EARLIER_CHARGE, type ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The idempotency store failed or did not respond in time. `cause` is a redacted copy of its error.
 *
 * - `not_sent`: the store failed before the request was sent.
 * - `created`: the service created the pix `transactionId`, but the store did not record it. The code is not returned,
 *   because a later call with `replaceLost` could create a second one, and the customer could pay both.
 *
 * In all other cases the call returns or throws as it would without a store, and an `error` event reports this error with
 * the outcome of the call; the reference stays claimed until a postback or `resolve()` resolves it.
 *
 * @remarks
 * Fix the store, then send the order again with the same `externalRef`: the store still has its records of earlier
 * calls. `mayHaveCharged` is `true`, because they could not be read or completed. If `outcome` is `created`, the process
 * retries to record the pix for ten minutes: the next call then returns its code.
 */
export class IdempotencyStoreError extends PaymentsError {
  override readonly name = "IdempotencyStoreError";
  readonly code = "idempotency_store_failed";
  /** Id of the transaction, if `outcome` is `created`; a string if it is larger than 2^53 - 1. */
  declare readonly transactionId?: number | string;

  /** @hidden */
  constructor(message: string, context: ErrorContext, transactionId?: number | string) {
    const isUncharged = context.outcome === "not_sent" || context.outcome === "rejected";
    const { consequence = isUncharged ? EARLIER_CHARGE : undefined } = context;
    super(message, "merchant", { ...context, consequence }, true);
    if (transactionId !== undefined) this.transactionId = transactionId;
  }
}
