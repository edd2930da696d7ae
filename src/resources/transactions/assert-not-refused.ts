import type { RefusedCardTransaction, Transaction } from "../../contracts/transaction.ts";
import { CardRefusedError } from "../../errors/refusal-errors.ts";
import { endpoints } from "../../spec/endpoints.ts";

/**
 * Throws if the card was declined, for code that prefers an exception to checking `status`.
 *
 * ```ts
 * const payment = await payments.transactions.createCard(order);
 * assertNotRefused(payment);
 * ```
 *
 * Passing does not mean paid: `pending` and `processing` pass too.
 *
 * @throws {CardRefusedError} if the card was declined.
 */
export function assertNotRefused<Payment extends Transaction>(
  transaction: Payment,
): asserts transaction is Exclude<Payment, RefusedCardTransaction> {
  if (transaction.paymentMethod !== "credit_card" || transaction.status !== "refused") return;
  throw new CardRefusedError(transaction, {
    outcome: "created",
    endpoint: endpoints.createTransaction.name,
    externalRef: transaction.externalId,
  });
}
