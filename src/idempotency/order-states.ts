import type { OrderState, PaymentTerms, StoredTransaction } from "../contracts/idempotency-store.ts";
import type { PixCode } from "../contracts/transaction.ts";
import { parseIfJson } from "../data/json.ts";
import { isRecord, ownProperty, withOwn, withoutPrototype } from "../data/own-properties.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import { TRANSITIONS, UNCHARGED_STATUSES, UNDECIDED_STATUSES } from "../spec/transitions.ts";
import { leaseLeft, type StoredDocument } from "./documents.ts";
import { isPartialRefund } from "./postbacks/postback-history.ts";

/** A string if it is beyond 2^53 - 1. */
export type TransactionId = number | string;

/** What a response, a postback or a person reports about a transaction. */
export interface StatusReport {
  readonly status: TransactionStatus;
  readonly rawStatus?: string;
  /** Cents; missing if only the id could be read. */
  readonly amount?: number;
  /** Cents; 0 or missing if it is `amount`. */
  readonly paidAmount?: number;
  /** The code of a pix, if its response was received: someone may pay it. In other transactions without the picture. */
  readonly pix?: PixCode | undefined;
}

/** Another transaction of the same reference. */
export interface OtherTransaction extends StatusReport {
  readonly id: TransactionId;
  /** Whether it may belong to any of several attempts: a postback reported it before their outcomes were known. */
  readonly isStray?: boolean | undefined;
  /** Whether it is a pix whose code was lost: while it is not paid, no one can pay it. */
  readonly isLost?: boolean | undefined;
}

/** The fields that records of every state have. */
export interface CommonFields extends PaymentTerms {
  /** 1 for the first. */
  readonly attempt: number;
  /** Of the latest attempt. */
  readonly owner: string;
  /** Transactions of earlier attempts, and any others that were reported; the latest last. */
  readonly others: readonly OtherTransaction[];
  /**
   * Owners of earlier attempts that count as not charged, but whose transaction may still appear: a person recorded them
   * as not charged, or another attempt replaced them.
   */
  readonly writtenOff: readonly string[];
  /** Owners of the attempts that the latest one replaces, because the code of their pix was lost; the latest last. */
  readonly replaced: readonly string[];
  /** Milliseconds from when the record was written, while the caller of the latest attempt may wait for its response. */
  readonly leaseMs?: number | undefined;
}

/** A record whose latest attempt has no known outcome. */
export type OpenRecord = CommonFields &
  (
    | { readonly state: "claimed"; readonly leaseMs: number; readonly heartbeatMs?: number | undefined }
    | { readonly state: "unresolved" }
  );

/** It has a lease if a postback arrived before the attempt ended. */
export interface CreatedRecord extends CommonFields {
  readonly state: "created";
  readonly transactionId: TransactionId;
  readonly transaction?: StoredTransaction | undefined;
  /** See {@link OtherTransaction.isStray}. */
  readonly isStray?: boolean | undefined;
  /** Whether only a person has named the transaction: no response and no signed postback of the reference. */
  readonly isByHand?: boolean | undefined;
}

/** The record of a reference. It contains no personal data. */
export type StoredRecord = OpenRecord | CreatedRecord | (CommonFields & { readonly state: "free" });

/** The record of a reference, as it is when a store reads it. */
export interface CurrentRecord {
  /** Its lease is what is left of it: writing the record again does not extend the lease. */
  readonly record: StoredRecord;
  /** Milliseconds for which the latest attempt counts as in flight; zero also if the clock was set back by days. */
  readonly leaseLeftMs: number;
  /**
   * Whether the latest attempt is certainly no longer in flight. A negative age proves nothing: then only a person may
   * let another request be sent.
   */
  readonly isLeaseOver: boolean;
}

export const STATES: readonly unknown[] = ["free", "claimed", "unresolved", "created"] satisfies OrderState[];

/** Optional fields of a record. A missing one becomes an own property that is `undefined`: it must not be inherited. */
const OPTIONAL_FIELDS = [
  ...["installments", "leaseMs", "heartbeatMs"],
  ...["transactionId", "transaction", "isStray", "isByHand"],
];
const OPTIONAL_FIELDS_OF_OTHERS = ["rawStatus", "amount", "isStray", "isLost", "pix"];

/** @throws {TypeError} on a text that no store wrote: treating it as a free reference could charge twice. */
export function readRecord(externalRef: string, { text, ageMs }: StoredDocument): CurrentRecord {
  const parsed = parseIfJson(text);
  const fields = isRecord(parsed) ? withOwn(parsed, OPTIONAL_FIELDS) : {};
  if (!STATES.includes(ownProperty(fields, "state"))) {
    throw new TypeError(`The text that the store has for ${JSON.stringify(externalRef)} is not a record.`);
  }
  const stored = fields as unknown as StoredRecord;
  const others = stored.others.map((other) => withOwn(other, OPTIONAL_FIELDS_OF_OTHERS));
  const { leaseMs = 0 } = stored;
  const isLeaseOver = ageMs >= leaseMs || stored.leaseMs === undefined;
  let record: StoredRecord = { ...stored, others };
  if (record.leaseMs !== undefined)
    record = { ...record, leaseMs: Math.max(0, leaseMs - Math.max(0, ageMs)) };
  if (record.state === "created" && record.transaction !== undefined) {
    record = { ...record, transaction: withoutPrototype(record.transaction) };
  }
  // Its other transactions may resolve a claim once its lease has ended.
  if (record.state === "claimed" && isLeaseOver) record = resolveByOthers(record, false);
  return { record, isLeaseOver, leaseLeftMs: isLeaseOver ? 0 : leaseLeft(leaseMs, ageMs) };
}

const inOrder = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, undefined]));

/** What a later write changes stands first, and what a claim wrote stands last: a database then logs one short part. */
const FIELDS = inOrder(
  "transaction leaseMs heartbeatMs state isStray isByHand transactionId " +
    "others writtenOff replaced amount paymentMethod installments attempt owner",
);
const TRANSACTION_FIELDS = inOrder("status rawStatus paidAmount refundedAmount refusedAmount");

/** JSON of a record. */
export function toText(record: StoredRecord): string {
  const { transaction } = withOwn(record as Partial<CreatedRecord>, ["transaction"]);
  const written = {
    ...{ ...FIELDS, ...record },
    ...{ transaction: transaction && { ...TRANSACTION_FIELDS, ...transaction } },
  };
  // PostgreSQL cannot read JSON with a NUL or a lone surrogate, and the service may return both.
  return JSON.stringify(written, (_name, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
  );
}

export function isOpen(record: StoredRecord): record is OpenRecord {
  return record.state === "claimed" || record.state === "unresolved";
}

/** Whether a report is newer than what is known about the transaction. */
export function isUpdate(known: StatusReport, report: StatusReport): boolean {
  if (report.status === "unrecognized") return false;
  if (isPartialRefund(report.status, report.amount, known.amount)) return false;
  if (known.status === "unrecognized") return true;
  // Any transaction that could still be paid can end without a charge.
  if (UNDECIDED_STATUSES.has(known.status) && UNCHARGED_STATUSES.has(report.status)) return true;
  return TRANSITIONS[known.status].advance.includes(report.status);
}

/** The later of two reports about one transaction; if the order is unclear, the report that may mean a charge. */
export function pickLatest(known: StatusReport | undefined, returned: StatusReport): StatusReport {
  if (known === undefined || isUpdate(known, returned)) return returned;
  if (isUpdate(returned, known)) return known;
  return UNCHARGED_STATUSES.has(known.status) ? returned : known;
}

/** Drops the lease, and the fields that only one state has. */
export function toCommonFields(record: CommonFields): CommonFields {
  const { amount, paymentMethod, installments, attempt, owner, others, writtenOff, replaced } = record;
  return { amount, paymentMethod, installments, attempt, owner, others, writtenOff, replaced };
}

/** Remembers that the latest attempt is recorded as not charged, or is no longer relevant. */
export function writeOff(record: StoredRecord): CommonFields {
  const common = toCommonFields(record);
  return { ...common, writtenOff: [...common.writtenOff, record.owner] };
}

/** The record of an attempt that charges no one: free, unless another transaction may charge the customer. */
export function toReleased(common: CommonFields): StoredRecord {
  const other = common.others.findLast(({ status }) => !UNCHARGED_STATUSES.has(status));
  if (other !== undefined) return toCreatedBy(common, other);
  return { ...common, state: "free" };
}

/** The record of a transaction that exists. */
export function toCreated(
  common: CommonFields,
  transactionId: TransactionId,
  transaction: StoredTransaction | undefined,
  isStray?: boolean,
): CreatedRecord {
  const others = common.others.filter(({ id }) => id !== transactionId);
  return { ...common, others, state: "created", transactionId, transaction, isStray };
}

/** The record of a transaction that is known only from a report. */
export function toCreatedBy(common: CommonFields, report: OtherTransaction): CreatedRecord {
  return toCreated(common, report.id, toTransaction(common, report), report.isStray);
}

/** What a caller gets for a transaction that exists. */
export function toCreatedResult({ transactionId, transaction }: CreatedRecord) {
  return { state: "created", transactionId, ...(transaction && { transaction }) } as const;
}

/** A transaction that is known only from a report. */
export function toTransaction(
  { amount: wholeAmount, paymentMethod }: PaymentTerms,
  report: OtherTransaction,
): StoredTransaction | undefined {
  const { id, status, rawStatus, amount = wholeAmount, pix } = withOwn(report, OPTIONAL_FIELDS_OF_OTHERS);
  if (typeof id === "string") return undefined;
  if (isPartialRefund(status, amount, wholeAmount)) {
    return { id, status: "approved", amount: wholeAmount, paymentMethod };
  }
  const details = { ...(rawStatus !== undefined && { rawStatus }), ...(pix !== undefined && { pix }) };
  return { id, status, ...details, amount, paymentMethod };
}

/** What an approved transaction was paid with, in cents: `paidAmount` is 0 in the response to a create request. */
export function amountPaid({ paidAmount, amount }: StatusReport): number | undefined {
  return paidAmount || amount;
}

/**
 * The transaction with another status. Drops the paid, refunded and refused amounts: they belong to the old status. Keeps
 * in `paidAmount` that it is approved over another amount than its own.
 */
export function withStatus(transaction: StoredTransaction, report: StatusReport): StoredTransaction {
  const { status, rawStatus } = report;
  const { amount } = transaction;
  const paid = status === "approved" ? (amountPaid(report) ?? amount) : undefined;
  const isSame = status === transaction.status && rawStatus === transaction.rawStatus;
  if (isSame && (paid === undefined || paid === amountPaid(transaction))) return transaction;
  const {
    rawStatus: _raw,
    paidAmount: _paid,
    refundedAmount: _refunded,
    refusedAmount: _refused,
    ...rest
  } = transaction;
  const paidAmount = paid === undefined || paid === amount ? undefined : { paidAmount: paid };
  return { ...rest, status, ...(rawStatus !== undefined && { rawStatus }), ...paidAmount };
}

/** Other transactions of a reference that its record keeps. */
const MAX_OTHERS = 100;

/** Adds or updates another transaction of the reference. */
export function withOther<Fields extends CommonFields>(record: Fields, other: OtherTransaction): Fields {
  const others = record.others.filter(({ id }) => id !== other.id);
  if (others.length < MAX_OTHERS) return { ...record, others: [...others, other] };
  // A real reference has only a few. Anyone who knows a signed URL can invent more, and the record must not grow forever.
  const uncharged = others.findIndex(({ status }) => UNCHARGED_STATUSES.has(status));
  return uncharged === -1 ? record : { ...record, others: [...others.toSpliced(uncharged, 1), other] };
}

/**
 * Resolves an open attempt from the other transactions of its reference, if possible.
 *
 * - A pix that was replaced, and whose code was received since, is not lost: the customer can pay it.
 * - Each attempt creates at most one transaction: if more transactions may belong to any attempt than attempts were
 *   written off, every attempt has its transaction, including the latest.
 *
 * @param isInFlight - The caller of the latest attempt may still be waiting for its response.
 */
export function resolveByOthers(record: OpenRecord, isInFlight: boolean): StoredRecord {
  const known = record.others.findLast(({ status, pix }) => status === "pending" && pix !== undefined);
  if (known !== undefined && !isInFlight && record.replaced.length > 0) {
    return toCreatedBy(writeOff(record), known);
  }
  if (record.others.filter(({ isStray }) => isStray).length <= record.writtenOff.length) return record;
  const others = record.others.map(({ isStray: _, ...other }) => other);
  const resolved = toReleased({ ...toCommonFields(record), others, writtenOff: [], replaced: [] });
  if (!isInFlight || record.state !== "claimed") return resolved;
  // Its caller reports the outcome before anyone else may send a request.
  return resolved.state === "created" ? { ...resolved, leaseMs: record.leaseMs } : record;
}
