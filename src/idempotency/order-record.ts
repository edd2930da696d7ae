import { bare, isRecord, own, ownCopy } from "../data/own.ts";
import type { TransactionStatus } from "../spec/values.ts";
import type { PaymentTerms, StoredTransaction } from "./contract.ts";

/** A number, or a text where it is beyond 2^53 - 1. */
export type TransactionId = number | string;

/** Another transaction of the same reference than the one that the record is about. */
export interface OtherTransaction {
  readonly id: TransactionId;
  readonly status: TransactionStatus;
  readonly rawStatus?: string;
  /** Cents; missing where nothing but its id could be read. */
  readonly amount?: number;
  /** A postback told of it while it could have been that of more than one attempt. */
  readonly isStray?: boolean | undefined;
}

/** What all records have in common. */
export interface Common extends PaymentTerms {
  /** 1 for the first. */
  readonly attempt: number;
  /** Of the latest attempt. */
  readonly owner: string;
  /** Those of earlier attempts, and whatever else turned up; the latest last. */
  readonly others: readonly OtherTransaction[];
  /** The owners of earlier attempts that a person took for uncharged: a transaction of theirs may still turn up. */
  readonly writtenOff: readonly string[];
  /** ISO 8601 UTC, by the clock of the process that wrote it. */
  readonly firstClaimedAt: string;
  readonly claimedAt: string;
  readonly endedAt?: string | undefined;
}

export interface FreeRecord extends Common {
  readonly state: "free";
}

export interface ClaimedRecord extends Common {
  readonly state: "claimed";
  /** Milliseconds from the writing of the record. */
  readonly leaseMs: number;
}

export interface UnresolvedRecord extends Common {
  readonly state: "unresolved";
}

export interface CreatedRecord extends Common {
  readonly state: "created";
  readonly transactionId: TransactionId;
  readonly transaction?: StoredTransaction | undefined;
  /** See {@link OtherTransaction.isStray}. */
  readonly isStray?: boolean | undefined;
  /** There while a postback has outrun the end of the attempt. */
  readonly leaseMs?: number | undefined;
}

/** What is kept of a reference. Nothing in it is personal. */
export type OrderRecord = FreeRecord | ClaimedRecord | UnresolvedRecord | CreatedRecord;

/** A record whose latest attempt has no known end. */
export type OpenRecord = ClaimedRecord | UnresolvedRecord;

/** A record, and the milliseconds since it was written. */
export interface Stored<Record extends OrderRecord = OrderRecord> {
  readonly record: Record;
  readonly ageMs: number;
}

const STATES: readonly unknown[] = ["free", "claimed", "unresolved", "created"];

/** @throws {TypeError} on what no store wrote: it must not be taken for a free reference. */
export function readRecord(externalRef: string, text: string): OrderRecord {
  const parsed = parse(text);
  const record = isRecord(parsed) ? ownCopy(parsed, OPTIONAL_FIELDS) : {};
  if (STATES.includes(own(record, "state"))) return withOwnParts(record as unknown as OrderRecord);
  throw new TypeError(`What the store has for ${JSON.stringify(externalRef)} is no record.`);
}

/** Fields that a record may lack; `undefined` then, whatever a prototype has. */
const OPTIONAL_FIELDS = ["installments", "endedAt", "leaseMs", "transactionId", "transaction", "isStray"];
const OPTIONAL_FIELDS_OF_OTHERS = ["rawStatus", "amount", "isStray"];

function withOwnParts(record: OrderRecord): OrderRecord {
  const others = record.others.map((other) => ownCopy(other, OPTIONAL_FIELDS_OF_OTHERS));
  const whole = { ...record, others };
  return whole.state === "created" && whole.transaction !== undefined
    ? { ...whole, transaction: bare(whole.transaction) }
    : whole;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isOpen(record: OrderRecord): record is OpenRecord {
  return record.state === "claimed" || record.state === "unresolved";
}
