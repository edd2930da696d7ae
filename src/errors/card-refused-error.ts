import type { RefusedCardTransaction } from "../resources/transactions/transaction.ts";
import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The card was declined. Thrown only by `assertNotRefused`: a declined card is a result, not a failed call.
 *
 * Spec: "Errors", "Other rules", rule 1.
 *
 * @remarks
 * Ask the buyer for another card, or for pix, and create it with the same `externalRef`: it is the same order.
 */
export class CardRefusedError extends PaymentsError {
  override readonly name = "CardRefusedError";
  readonly code = "card_refused";
  /** The service's text, or `unspecified` where it gave none. */
  readonly refusedReason: string;
  /** Id of the transaction that was refused. */
  readonly transactionId: number;

  /** @hidden */
  constructor(transaction: RefusedCardTransaction, context: ErrorContext) {
    super(`The card was declined (${transaction.refusedReason}) and nothing was taken from it.`, "customer", {
      ...context,
      consequence: "Ask the buyer for another card, or for pix: it is the same order.",
    });
    this.refusedReason = transaction.refusedReason;
    this.transactionId = transaction.id;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), refusedReason: this.refusedReason, transactionId: this.transactionId };
  }
}
