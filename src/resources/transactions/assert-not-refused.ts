import { CardRefusedError } from "../../errors/card-refused-error.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { RefusedCardTransaction, Transaction } from "./transaction.ts";

/**
 * For those who prefer an exception to a look at `status`.
 *
 * ```ts
 * const transaction = await payments.transactions.createCard(order);
 * assertNotRefused(transaction);
 * ```
 *
 * It does not say that the payment is approved: `pending` and `processing` pass.
 *
 * @throws {CardRefusedError} where the card was declined.
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
