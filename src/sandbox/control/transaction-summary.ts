import type { SandboxTransaction } from "../transaction.ts";
import type { TransactionSummary } from "./views.ts";

export function summaryOf(transaction: SandboxTransaction): TransactionSummary {
  const { id, status, paymentMethod, amount, refundedAmount, externalId, customer, createdAt } = transaction;
  return {
    id,
    status,
    paymentMethod,
    amount,
    refundedAmount,
    ...(externalId !== undefined && { externalId }),
    customerName: customer.name,
    createdAt,
  };
}
