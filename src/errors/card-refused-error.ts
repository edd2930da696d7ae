import type { RefusedCardTransaction } from "../resources/transactions/transaction.ts";
import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The card was declined and not charged. Only `assertNotRefused` throws it: `createCard` returns a declined card as a
 * result.
 *
 * Spec: "Errors", "Other rules", rule 1.
 *
 * @remarks
 * Ask the buyer for another card, or for pix, and create that payment with the same `externalRef`: it is the same order.
 * `mayHaveCharged` is `false`, which describes this card only: the error has the transaction, and not what a store knows
 * of the order.
 */
export class CardRefusedError extends PaymentsError {
  override readonly name = "CardRefusedError";
  readonly code = "card_refused";
  /** The service's reason, as readable text; `unspecified` if it sent none. */
  readonly refusedReason: string;
  /** Id of the refused transaction. */
  readonly transactionId: number;

  /** @hidden */
  constructor(transaction: RefusedCardTransaction, context: ErrorContext) {
    const consequence = "Ask the buyer for another card, or for pix: it is the same order.";
    const message = `The card was declined (${transaction.refusedReason}) and was not charged.`;
    super(message, "customer", { ...context, consequence }, false);
    this.refusedReason = transaction.refusedReason;
    this.transactionId = transaction.id;
  }
}
