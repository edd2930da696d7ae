import { own } from "../data/own.ts";
import { OTHER_TRANSACTIONS } from "../spec/limits.ts";
import type { PaymentTerms, StoredTransaction } from "./contract.ts";
import { leaseLeft } from "./documents.ts";
import type {
  Common,
  CreatedRecord,
  OpenRecord,
  OrderRecord,
  OtherTransaction,
  Stored,
  TransactionId,
} from "./order-record.ts";
import { isDead, isOfAPart, type Report } from "./transaction-life.ts";

/** Milliseconds for which a caller may still be on its way; zero where there is none. */
export function leaseLeftMs({ record, ageMs }: Stored): number {
  return hasLease(record) ? leaseLeft(record.leaseMs, ageMs) : 0;
}

/** Whether the caller of the latest attempt may still be waiting for its answer. */
export function hasLease<Record extends OrderRecord>(record: Record): record is Record & { leaseMs: number } {
  return own(record, "leaseMs") !== undefined;
}

export function termsOf({ amount, paymentMethod, installments }: PaymentTerms): PaymentTerms {
  return { amount, paymentMethod, ...(installments !== undefined && { installments }) };
}

/** Drops what only one state has. */
export function commonOf(record: OrderRecord): Common {
  const { attempt, owner, others, writtenOff, firstClaimedAt, claimedAt, endedAt } = record;
  return { ...termsOf(record), attempt, owner, others, writtenOff, firstClaimedAt, claimedAt, endedAt };
}

/** The record of an attempt by which nobody is charged any more: free, unless there is another transaction. */
export function released(common: Common): OrderRecord {
  const other = common.others.findLast(({ status }) => !isDead(status));
  if (other === undefined) return { ...common, endedAt: new Date().toISOString(), state: "free" };
  const { id, isStray } = other;
  return { ...created(common, id, knownOf(common, id, other)), isStray };
}

/** The record of a transaction that exists. */
export function created(
  common: Common,
  transactionId: TransactionId,
  transaction: StoredTransaction | undefined,
): CreatedRecord {
  const others = common.others.filter(({ id }) => id !== transactionId);
  const endedAt = new Date().toISOString();
  return { ...common, others, endedAt, state: "created", transactionId, transaction };
}

/** A transaction of which little is known. */
export function knownOf(
  { amount: whole, paymentMethod }: PaymentTerms,
  id: TransactionId,
  report: Report,
): StoredTransaction | undefined {
  if (typeof id === "string") return undefined;
  // What is given back in part was paid.
  if (isOfAPart(report, whole)) return { id, status: "approved", amount: whole, paymentMethod };
  const { status, rawStatus, amount = whole } = report;
  return { id, status, ...(rawStatus !== undefined && { rawStatus }), amount, paymentMethod };
}

/** A transaction with another status; what was paid and given back by then is not known. */
export function movedOn(transaction: StoredTransaction, { status, rawStatus }: Report): StoredTransaction {
  if (status === transaction.status && rawStatus === transaction.rawStatus) return transaction;
  const {
    rawStatus: _,
    paidAmount: _paid,
    refundedAmount: _refunded,
    refusedAmount: _refused,
    ...kept
  } = transaction;
  return { ...kept, status, ...(rawStatus !== undefined && { rawStatus }) };
}

/** Remembers a transaction that the record is not about. */
export function withOther<Rest extends Common>(record: Rest, other: OtherTransaction): Rest {
  const others = record.others.filter(({ id }) => id !== other.id);
  if (others.length < OTHER_TRANSACTIONS) return { ...record, others: [...others, other] };
  // A reference has a handful. Whoever knows a signed URL can make up more, which must not grow without end.
  const dead = others.findIndex(({ status }) => isDead(status));
  return dead === -1 ? record : { ...record, others: [...others.toSpliced(dead, 1), other] };
}

/**
 * The record of an open attempt, as the stray transactions make it. An attempt makes one transaction at most: where there
 * are more strays than earlier attempts that were written off, all are accounted for, the latest one included.
 */
export function accounted(record: OpenRecord, isOnItsWay: boolean): OrderRecord {
  const strays = record.others.filter(({ isStray }) => isStray);
  if (strays.length <= record.writtenOff.length) return record;
  const others = record.others.map(({ isStray: _, ...other }) => other);
  const settled = released({ ...commonOf(record), others, writtenOff: [] });
  if (!isOnItsWay || record.state !== "claimed") return settled;
  // Its caller will tell what came of it, before somebody else may send.
  return settled.state === "created" ? { ...settled, leaseMs: record.leaseMs } : record;
}

/** A record as it is by now: a claim whose lease has ended may have been settled meanwhile. */
export function standing(stored: Stored): Stored {
  const { record, ageMs } = stored;
  if (record.state !== "claimed" || leaseLeftMs(stored) > 0) return stored;
  return { record: accounted(record, false), ageMs };
}

/** A record that is written again without its lease beginning anew. */
export function keepingLease<Record extends OrderRecord>({ record, ageMs }: Stored<Record>): Record {
  if (!hasLease(record)) return record;
  return { ...record, leaseMs: Math.min(record.leaseMs, leaseLeftMs({ record, ageMs })) };
}
