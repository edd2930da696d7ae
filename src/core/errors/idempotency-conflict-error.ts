import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** The same `externalRef` was used before with another amount, method or number of installments. */
export class IdempotencyConflictError extends PaymentsError {
  override readonly name = "IdempotencyConflictError";
  readonly code = "idempotency_conflict";

  constructor(context: ErrorContext) {
    super(
      "This externalRef belongs to a payment with another amount, method or number of installments: use a new reference for a new payment.",
      "merchant",
      context,
    );
  }
}
