import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** When a token expired, and by whose clock. */
export interface TokenExpiry {
  readonly expiredAt: Date;
  /** `service`: the token itself says it. `machine`: five minutes after this machine received it. */
  readonly clock: "service" | "machine";
  /** When the token says that it was issued. */
  readonly issuedAt?: Date | undefined;
}

/**
 * The card token is older than its five minutes. Nothing was sent.
 *
 * A token that is text is compared with this machine's clock, with a tolerance of a minute: the message has the times of
 * both clocks.
 *
 * Spec: "POST /api/v1/transactions", rule 3.
 *
 * @remarks
 * Create a new token in the buyer's page and send the same order with it. If new tokens fail too, set the clock.
 */
export class CardTokenExpiredError extends PaymentsError {
  override readonly name = "CardTokenExpiredError";
  readonly code = "card_token_expired";
  /** When the token expired. */
  readonly expiredAt: Date;

  /** @hidden */
  constructor(expiry: TokenExpiry, context: ErrorContext = { outcome: "not_sent" }) {
    super(
      `The card token has expired: tokens are valid for 5 minutes. ${describe(expiry)}`,
      "customer",
      context,
    );
    this.expiredAt = expiry.expiredAt;
  }
}

function describe({ expiredAt, clock, issuedAt }: TokenExpiry): string {
  const expired = `expired at ${expiredAt.toISOString()} by`;
  if (clock === "machine") return `It ${expired} this machine's clock. Create a new one.`;
  const issued = issuedAt === undefined ? "" : `was issued at ${issuedAt.toISOString()} and `;
  const now = new Date().toISOString();
  return `It ${issued}${expired} the service's clock; this machine's clock shows ${now}. Create a new one. If that has expired too, the clocks differ.`;
}
