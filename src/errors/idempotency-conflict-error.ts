import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

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
 * Use a new `externalRef` for a new payment; repeat an earlier one with the same terms. If `earlier` is
 * `unresolved`, find out first whether the earlier payment charged the customer.
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
