import type { Claim, StoredTransaction } from "../../../contracts/idempotency-store.ts";
import type { Transaction } from "../../../contracts/transaction.ts";
import { UnexpectedResponseError } from "../../../errors/api-errors.ts";
import type { Call } from "../../../http/call.ts";
import { attachRawBody, type WithResponse } from "../../../http/result.ts";
import { endpoints } from "../../../spec/endpoints.ts";
import { CLOCK_TOLERANCE_MS } from "../../../spec/limits.ts";
import { UNDECIDED_STATUSES } from "../../../spec/transitions.ts";

/** What the store knows about a transaction that an earlier call created. */
export type CreatedClaim = Extract<Claim, { state: "created" }>;

/** The status of a response that created a transaction. Spec: "POST /api/v1/transactions". */
const [CREATED] = endpoints.createTransaction.statuses;

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
  const transaction = stored && fromStored(stored);
  const meta = { status: CREATED, headers: new Headers(), requestId: undefined };
  if (transaction !== undefined && hasNeededCode(transaction)) {
    warnIfExpired(call, transaction);
    return { data: transaction, response: { ...meta, durationMs: call.elapsedMs, replayed: true } };
  }
  const field = transaction === undefined ? "data" : "data.pix.qrcodeText";
  // With any other status, someone may be paying it.
  const isLostPix = transaction?.paymentMethod === "pix" && transaction.status === "pending";
  const consequence = isLostPix ? PIX_WITHOUT_CODE : undefined;
  throw new UnexpectedResponseError(
    { ...meta, body: "" },
    { issues: [{ field, message: "was never received" }], transactionId, transaction },
    { ...call.context("created"), consequence },
    `The response that created transaction ${transactionId} was lost, including ${field}.`,
  );
}

/** The error of a call whose pix was created, while another call replaced it. */
export function createReplacedError(call: Call, transactionId: number | string): UnexpectedResponseError {
  return new UnexpectedResponseError(
    { status: CREATED, headers: new Headers(), requestId: undefined, body: "" },
    { issues: [{ field: "data.pix.qrcodeText", message: "is not the code of the order" }], transactionId },
    {
      ...call.context("created"),
      consequence: "Call again with the same externalRef to get the current one.",
    },
    `Another call has replaced transaction ${transactionId}, so its code is not returned.`,
  );
}

/** The error of a call whose pix was refused, while a signed postback reported that it may be paid. */
export function createContradictedError(call: Call, transactionId: number): UnexpectedResponseError {
  return new UnexpectedResponseError(
    { status: CREATED, headers: new Headers(), requestId: undefined, body: "" },
    { issues: [{ field: "data.status", message: "is not what a postback reported" }], transactionId },
    call.context("created"),
    `The response refused transaction ${transactionId}, but a postback reported that it may be paid.`,
  );
}

/** Whether the pix has its code. A pix that was paid, or can no longer be paid, does not need one. */
function hasNeededCode(transaction: Transaction): boolean {
  if (transaction.paymentMethod !== "pix" || !UNDECIDED_STATUSES.has(transaction.status)) return true;
  return transaction.pix.qrcodeText !== "";
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
