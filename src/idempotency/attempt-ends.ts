import { newAttempt } from "./claims.ts";
import type { AttemptEnd, ClaimedOrder, RivalTransaction } from "./contract.ts";
import {
  type CreatedRecord,
  isOpen,
  type OrderRecord,
  type Stored,
  type TransactionId,
} from "./order-record.ts";
import {
  accounted,
  commonOf,
  created,
  hasLease,
  keepingLease,
  movedOn,
  released,
  termsOf,
  withOther,
} from "./order-states.ts";
import { furtherOf, isDead, type Report } from "./transaction-life.ts";

type Creation = Extract<AttemptEnd, { outcome: "created" }>;

/** What a record becomes when a sending has ended; `undefined` where it stays as it is. */
export function endOf(
  stored: Stored | undefined,
  order: ClaimedOrder,
  end: AttemptEnd,
): OrderRecord | undefined {
  if (end.outcome === "created") return creationOf(stored, order, end);
  // A record that its store has lost is missed only where somebody may have been charged.
  const record = stored?.record ?? (end.outcome === "unknown" ? lostRecord(order) : undefined);
  if (record === undefined || record.owner !== order.owner || !hasLease(record)) return undefined;
  // A postback has told more than the caller ever heard.
  if (record.state === "created") return { ...record, leaseMs: undefined };
  if (end.outcome === "not_created") return released(commonOf(record));
  return accounted({ ...commonOf(record), endedAt: new Date().toISOString(), state: "unresolved" }, false);
}

/** Other transactions of the reference than this one, if the customer may be charged by more than one. */
export function rivalsOf(record: OrderRecord, id: TransactionId): readonly RivalTransaction[] {
  const own = knownIn(record, id);
  if (own !== undefined && isDead(own.status)) return [];
  const { others } = record;
  const all = record.state === "created" ? [currentOf(record), ...others] : others;
  return all
    .filter((other) => other.id !== id && !isDead(other.status))
    .map((other) => ({ id: other.id, status: other.status }));
}

function currentOf({ transactionId: id, transaction }: CreatedRecord): RivalTransaction {
  return { id, status: transaction?.status ?? "unrecognized" };
}

function creationOf(stored: Stored | undefined, order: ClaimedOrder, end: Creation): OrderRecord {
  const { record, ageMs } = stored ?? { record: lostRecord(order), ageMs: 0 };
  const { transactionId: id, transaction } = end;
  const report = furtherOf(knownIn(record, id), transaction ?? UNKNOWN);
  const { status } = report;
  const other = { id, status, ...(transaction && { amount: transaction.amount }) };
  const noted = withOther(keepingLease({ record, ageMs }), other);
  const writtenOff = record.writtenOff.filter((owner) => owner !== order.owner);

  const place = placeOf(record, order, id);
  if (place === "aside") {
    const aside = { ...noted, writtenOff };
    return isOpen(aside) ? accounted(aside, true) : aside;
  }
  const common = { ...commonOf(noted), writtenOff };
  if (isDead(status)) return released(common);
  const { installments: _, ...rest } = common;
  const before = record.state === "created" ? record.transaction : undefined;
  const kept = transaction ? movedOn(transaction, report) : before;
  return created({ ...rest, ...termsOf(order) }, id, kept);
}

function lostRecord(order: ClaimedOrder): OrderRecord {
  return { ...newAttempt(undefined, order), state: "claimed", leaseMs: 0 };
}

function knownIn(record: OrderRecord, id: TransactionId): Report | undefined {
  if (record.state === "created" && record.transactionId === id) return record.transaction;
  return record.others.find((other) => other.id === id);
}

/** Whether the record is about this transaction from now on, or goes on to be about another attempt. */
function placeOf(record: OrderRecord, { owner }: ClaimedOrder, id: TransactionId): "here" | "aside" {
  if (record.state === "created") return record.transactionId === id ? "here" : "aside";
  return record.state === "free" || record.owner === owner ? "here" : "aside";
}

const UNKNOWN: Report = { status: "unrecognized" };
