import type { RefusedCardTransaction } from "../contracts/transaction.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import { type ErrorContext, PaymentsError } from "./payments-error.ts";

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

/** What a {@link PixRefusedError} is about. */
interface RefusedPix {
  readonly id: number;
  readonly status: TransactionStatus;
  readonly refusedReason?: string | undefined;
}

/**
 * The service responded with 2xx, but the pix is `refused`, `expired` or `cancelled` and has neither a code nor a
 * picture. No one can pay it, so no one was charged.
 *
 * Spec: "States and transitions". It lists `refused` for cards only, so a pix is refused this way against the
 * specification, for example because its amount is outside the company's limits.
 *
 * @remarks
 * If `mayHaveCharged` is `false`, offer another way to pay, or fix the cause and create the payment again with the same
 * `externalRef`: it is the same order. A pix that has a code is a result, and so is one that has only a picture, if nothing
 * in the response contradicts that it is refused.
 */
export class PixRefusedError extends PaymentsError {
  override readonly name = "PixRefusedError";
  readonly code = "pix_refused";
  /** Id of the refused transaction. */
  readonly transactionId: number;
  /** `refused`, `expired` or `cancelled`. */
  readonly status: TransactionStatus;
  /** The service's reason, as readable text; `unspecified` if it sent none. */
  readonly refusedReason: string;

  /** @hidden */
  constructor({ id, status, refusedReason = "unspecified" }: RefusedPix, context: ErrorContext) {
    super(`The pix is ${status} (${refusedReason}) and has no code, so no one can pay it.`, "customer", {
      ...context,
      consequence: "Offer another way to pay, or create it again: it is the same order.",
    });
    this.transactionId = id;
    this.status = status;
    this.refusedReason = refusedReason;
  }
}
