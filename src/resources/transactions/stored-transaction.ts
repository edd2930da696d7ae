import { UnexpectedResponseError } from "../../errors/unexpected-response-error.ts";
import type { CallScope } from "../../http/call-scope.ts";
import type { WithResponse } from "../../http/result.ts";
import { attachRawBody } from "../../http/result.ts";
import type { Claim, StoredTransaction } from "../../idempotency/contract.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { UNDECIDED_STATUSES } from "../../spec/transitions.ts";
import type { Transaction } from "./transaction.ts";

type Creation = Extract<Claim, { state: "created" }>;

/** The status that created transactions come with. Spec: "POST /api/v1/transactions". */
const [CREATED] = endpoints.createTransaction.statuses;

/** What a store may keep: nothing personal, and no postback URL, which may be a credential. */
export function toStored(transaction: Transaction): StoredTransaction {
  const { customer: _customer, metadata: _metadata, postBackUrl: _url, ...kept } = transaction;
  return kept;
}

/**
 * The result of a create that was sent before.
 *
 * @throws {UnexpectedResponseError} `created`, where too little is known of the transaction: its answer was lost.
 */
export function replayOf(
  { transactionId, transaction: stored }: Creation,
  scope: CallScope,
  durationMs: number,
): WithResponse<Transaction> {
  const transaction = stored && fromStored(stored);
  if (transaction !== undefined && hasCodeIfNeeded(transaction)) {
    const answer = { status: CREATED, headers: new Headers(), requestId: undefined };
    return { data: transaction, response: { ...answer, durationMs, replayed: true } };
  }
  const field = transaction === undefined ? "data" : "data.pix.qrcodeText";
  throw new UnexpectedResponseError(
    { status: CREATED, headers: new Headers(), body: "", requestId: undefined },
    { issues: [{ field, message: "was never received" }], transactionId, transaction },
    scope.context("created"),
    `The answer that created transaction ${transactionId} was lost, and ${field} with it.`,
  );
}

/** A pix that was paid, or cannot be any more, has no use for its code. */
function hasCodeIfNeeded(transaction: Transaction): boolean {
  if (transaction.paymentMethod !== "pix" || !UNDECIDED_STATUSES.has(transaction.status)) return true;
  return transaction.pix.qrcodeText !== "";
}

function fromStored({ pix, ...stored }: StoredTransaction): Transaction {
  const common = { ...stored, customer: { document: {} } };
  const transaction = stored.paymentMethod === "pix" ? { ...common, pix: pix ?? { qrcodeText: "" } } : common;
  // It was a transaction when it was stored; a refused one, which needs its reason, is free instead.
  return attachRawBody(transaction, undefined) as Transaction;
}
