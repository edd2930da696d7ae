import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** What is known of the payment that a reference belongs to. */
export type EarlierPayment = "created" | "claimed" | "unresolved";

const ADVICE = "use a new reference for a new payment.";
const CONSEQUENCES: Readonly<Record<EarlierPayment, string>> = {
  created: "Nothing was sent by this call; the other payment exists.",
  claimed: "Nothing was sent by this call; the other payment is under way.",
  unresolved:
    "Nothing was sent by this call, but the other payment may have charged the customer: find that out before you send another one for the same order.",
};

/**
 * The same `externalRef` was used before with another amount, method or number of installments.
 *
 * @remarks
 * Use a new `externalRef` for a new payment, and the same terms for a repeat of the old one. Where `earlier` is `unresolved`,
 * find out first whether that payment charged the customer.
 */
export class IdempotencyConflictError extends PaymentsError {
  override readonly name = "IdempotencyConflictError";
  readonly code = "idempotency_conflict";
  /** What is known of the payment that has the reference. */
  readonly earlier: EarlierPayment;

  /** @hidden */
  constructor(context: ErrorContext, earlier: EarlierPayment = "created") {
    super(
      `This externalRef belongs to a payment with another amount, method or number of installments: ${ADVICE}`,
      "merchant",
      { ...context, consequence: CONSEQUENCES[earlier] },
    );
    this.earlier = earlier;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), earlier: this.earlier };
  }
}
