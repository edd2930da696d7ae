import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The card token is older than its five minutes. Nothing was sent.
 *
 * Spec: "POST /api/v1/transactions", rule 3.
 *
 * @remarks
 * Create a new token in the buyer's page and send the same order with it.
 */
export class CardTokenExpiredError extends PaymentsError {
  override readonly name = "CardTokenExpiredError";
  readonly code = "card_token_expired";
  /** When the token expired. */
  readonly expiredAt: Date;

  /** @hidden */
  constructor(expiredAt: Date, context: ErrorContext = { outcome: "not_sent" }) {
    super(
      "The card token has expired: tokens are valid for 5 minutes. Create a new one.",
      "customer",
      context,
    );
    this.expiredAt = expiredAt;
  }
}
