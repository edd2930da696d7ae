import { EARLIER_CHARGE, type ErrorContext, PaymentsError } from "./payments-error.ts";

/** State of the payment that a reference belongs to. */
export type EarlierPayment = "created" | "claimed" | "unresolved";

const CONSEQUENCES: Readonly<Record<EarlierPayment, string>> = {
  created: "Nothing was sent by this call; the other payment exists.",
  claimed: "Nothing was sent by this call; the other payment is in progress.",
  unresolved:
    "Nothing was sent by this call, but the other payment may have charged the customer: check that before you send another one for the same order.",
};

/**
 * The same `externalRef` was used before with a different amount, method or number of installments. Nothing was sent,
 * but the earlier payment may have charged the customer.
 *
 * @remarks
 * Use a new `externalRef` for a new payment; repeat an earlier one with the same terms. If `earlier` is `unresolved`, find
 * out first whether it charged the customer.
 */
export class IdempotencyConflictError extends PaymentsError {
  override readonly name = "IdempotencyConflictError";
  readonly code = "idempotency_conflict";
  /** State of the earlier payment with this reference. */
  readonly earlier: EarlierPayment;

  /** @hidden */
  constructor(context: ErrorContext, earlier: EarlierPayment = "created") {
    super(
      "This externalRef belongs to a payment with another amount, method or number of installments: use a new reference for a new payment.",
      "merchant",
      { ...context, consequence: CONSEQUENCES[earlier] },
      true,
    );
    this.earlier = earlier;
  }
}

const MESSAGES = {
  claimed:
    "Another call for this externalRef is in progress: wait until it ends, for example with the option `wait`.",
  unresolved:
    "An earlier attempt for this externalRef is unresolved: a signed postback or the store's resolve() settles it. If it was a pix, createPix with { replaceLost: true } creates a new code.",
} as const;

/** Of the store's `resolve()`. */
const TOO_EARLY =
  "A call for this externalRef is in progress, or its process crashed: resolve it once the call's timeout plus 30 seconds have passed.";

/**
 * Another call for this `externalRef` is in progress, or ended without a known outcome. This call sent nothing, but the
 * other one may have charged the customer.
 *
 * @remarks
 * Never pay with a new `externalRef` instead. If `state` is `claimed`, the option `wait` waits until the other call ends.
 * If it is `unresolved`, waiting does not help: a signed postback resolves it, or someone who checks the payment with the
 * service and calls the store's `resolve()`. A pix can be created again with the option `replaceLost`.
 */
export class OutcomePendingError extends PaymentsError {
  override readonly name = "OutcomePendingError";
  readonly code = "outcome_pending";
  /** `claimed`: the other call is in progress. `unresolved`: it ended without a known outcome. */
  readonly state: "claimed" | "unresolved";

  /** @hidden */
  constructor(context: ErrorContext, state: "claimed" | "unresolved" = "unresolved") {
    const message = context.outcome === "not_applicable" ? TOO_EARLY : MESSAGES[state];
    super(message, "merchant", context, true);
    this.state = state;
  }
}

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
 * Fix the store, then send the order again with the same `externalRef`. `mayHaveCharged` is `true`, because the records of
 * earlier calls could not be read or completed. If `outcome` is `created`, the process retries to record the pix for ten
 * minutes: the next call then returns its code.
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
