import type { Claim, StoredTransaction } from "../../../contracts/idempotency-store.ts";
import type { Transaction } from "../../../contracts/transaction.ts";
import { isRecord } from "../../../data/own-properties.ts";
import type { Call } from "../../../http/call.ts";
import { attachRawBody, type WithResponse } from "../../../http/result.ts";
import { UNDECIDED_STATUSES } from "../../../spec/transitions.ts";
import { CLOCK_TOLERANCE_MS } from "../create-request.ts";
import { CREATED, createdError } from "./store-errors.ts";

/** What the store knows about a transaction that an earlier call created. */
export type CreatedClaim = Extract<Claim, { state: "created" }>;

/** The part that a store may keep: no personal data, and no postback URL, which may be a credential. */
export function toStored(transaction: Transaction): StoredTransaction {
  const { customer: _customer, metadata: _metadata, postBackUrl: _url, ...kept } = transaction;
  return kept;
}

const PIX_WITHOUT_CODE =
  "The transaction exists, but most likely no one can pay it without its code: createPix with { replaceLost: true } creates a new one.";

/**
 * The result of a create call whose request was sent by an earlier call.
 *
 * @throws {UnexpectedResponseError} `created`, if the response was lost and too little is known about the transaction.
 */
export function replay(
  call: Call,
  { transactionId, transaction: stored }: CreatedClaim,
): WithResponse<Transaction> {
  const transaction = isRecord(stored) ? fromStored(stored) : undefined; // a custom store may return a text
  if (transaction === undefined || isWithoutNeededCode(transaction)) {
    const field = transaction === undefined ? "data" : "data.pix.qrcodeText";
    const problem = `The response that created transaction ${transactionId} was lost, including ${field}.`;
    // With any other status, someone may be paying it.
    const consequence = transaction?.status === "pending" ? PIX_WITHOUT_CODE : undefined;
    const details = { transactionId, transaction, consequence };
    throw createdError(call, problem, { field, message: "was never received" }, details);
  }
  warnIfExpired(call, transaction);
  const meta = { status: CREATED, headers: new Headers(), requestId: undefined };
  return { data: transaction, response: { ...meta, durationMs: call.elapsedMs, replayed: true } };
}

/** A pix that was paid, or can no longer be paid, needs no code. */
function isWithoutNeededCode(transaction: Transaction): boolean {
  const isPayablePix = transaction.paymentMethod === "pix" && UNDECIDED_STATUSES.has(transaction.status);
  return isPayablePix && transaction.pix.qrcodeText === "";
}

function fromStored({ pix, ...stored }: StoredTransaction): Transaction {
  const common = { ...stored, customer: { document: {} } };
  const transaction = stored.paymentMethod === "pix" ? { ...common, pix: pix ?? { qrcodeText: "" } } : common;
  // It was a transaction when it was stored. A refused one, which needs its reason, is never stored.
  return attachRawBody(transaction, undefined) as Transaction;
}

/** No postback has reported that the pix expired, so the store still has it as pending. */
function warnIfExpired(call: Call, transaction: Transaction): void {
  if (transaction.paymentMethod !== "pix" || transaction.status !== "pending") return;
  const expiresAt = Date.parse(transaction.pix.expirationDate ?? "");
  if (!(expiresAt + CLOCK_TOLERANCE_MS < Date.now())) return;
  call.warn(
    "pix.expirationDate",
    'has passed, but no postback reported it: resolve(externalRef, { transactionId, status: "expired" }) frees the ' +
      "reference",
  );
}
