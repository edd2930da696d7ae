import { ownCopy } from "../../data/own.ts";
import { isPaymentsError } from "../../errors/payments-error.ts";
import type { UnexpectedResponseError } from "../../errors/unexpected-response-error.ts";
import type { AttemptEnd } from "../../idempotency/contract.ts";
import { toStored } from "./stored-transaction.ts";
import type { Transaction } from "./transaction.ts";

/** What a store is told of a create that gave a transaction. */
export function endWith(transaction: Transaction): AttemptEnd {
  return { outcome: "created", transactionId: transaction.id, transaction: toStored(transaction) };
}

/** What a store is told of a create that failed. */
export function endByFailure(error: unknown): AttemptEnd {
  if (!isPaymentsError(error)) return { outcome: "unknown" };
  if (error.outcome === "not_sent" || error.outcome === "rejected") return { outcome: "not_created" };
  // Also an ApiError may have an id, where a 2xx says success: false.
  const { transactionId, transaction } = ownCopy(error as Partial<UnexpectedResponseError>, [
    "transactionId",
    "transaction",
  ]);
  if (error.outcome !== "created" || transactionId === undefined) return { outcome: "unknown" };
  return { outcome: "created", transactionId, transaction: transaction && toStored(transaction) };
}
