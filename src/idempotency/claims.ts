import type { Claim, ClaimedOrder, PaymentTerms } from "./contract.ts";
import type { Common, CreatedRecord, OrderRecord, Stored } from "./order-record.ts";
import { leaseLeftMs, termsOf } from "./order-states.ts";
import { isUndecided } from "./transaction-life.ts";

/** What a claim gets, and the record that it leaves, where it changes something. */
export function claimOf(
  stored: Stored | undefined,
  order: ClaimedOrder,
  leaseMs: number,
): { readonly claim: Claim; readonly record?: OrderRecord } {
  const record = stored?.record;
  if (stored === undefined || record === undefined || record.state === "free") {
    return { claim: { state: "yours" }, record: { ...newAttempt(record, order), state: "claimed", leaseMs } };
  }
  const leftMs = leaseLeftMs(stored);
  if (!isOnTerms(record, order)) return { claim: { state: "conflict", earlier: standingOf(record, leftMs) } };
  if (record.state === "created" && (leftMs === 0 || isComplete(record))) {
    const { transactionId, transaction } = record;
    return { claim: { state: "created", transactionId, ...(transaction && { transaction }) } };
  }
  return { claim: leftMs > 0 ? { state: "claimed", leaseLeftMs: leftMs } : { state: "unresolved" } };
}

/** What all records have in common, of an attempt that begins. */
export function newAttempt(record: OrderRecord | undefined, order: ClaimedOrder): Common {
  const claimedAt = new Date().toISOString();
  const { attempt = 0, firstClaimedAt = claimedAt } = record ?? {};
  const { owner } = order;
  return { ...termsOf(order), attempt: attempt + 1, owner, ...pastOf(record), firstClaimedAt, claimedAt };
}

/** What turned up before an attempt is not of that attempt. */
function pastOf(record: OrderRecord | undefined): Pick<Common, "others" | "writtenOff"> {
  const { others = [], writtenOff = [] } = record ?? {};
  const strays = others.filter(({ isStray }) => isStray);
  if (strays.length < writtenOff.length) return { others, writtenOff };
  // Each attempt that was written off has its transaction.
  return { others: others.map(({ isStray: _, ...other }) => other), writtenOff: [] };
}

function isOnTerms(record: PaymentTerms, { amount, paymentMethod, installments }: PaymentTerms): boolean {
  const isSameMethod = record.paymentMethod === paymentMethod && record.installments === installments;
  return record.amount === amount && isSameMethod;
}

function standingOf({ state }: OrderRecord, leftMs: number): "created" | "claimed" | "unresolved" {
  if (state === "created") return state;
  return leftMs > 0 ? "claimed" : "unresolved";
}

/** A pix that a postback told of has no code to be paid by before the answer to its create is there. */
function isComplete({ paymentMethod, transaction }: CreatedRecord): boolean {
  if (paymentMethod !== "pix" || transaction?.pix !== undefined) return true;
  return !isUndecided(transaction?.status ?? "unrecognized");
}
