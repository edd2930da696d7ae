import { isRecord } from "../data/own.ts";
import { TRANSACTION_STATUSES } from "../spec/values.ts";
import type { Finding } from "./contract.ts";
import { isOpen, type OrderRecord, type OtherTransaction, type TransactionId } from "./order-record.ts";
import { commonOf, created, knownOf, movedOn, released, withOther } from "./order-states.ts";
import { isDead } from "./transaction-life.ts";

/** What a record becomes by what a person found out, or why it cannot be so. */
export type Resolution =
  | { readonly record?: OrderRecord; readonly state: "created" | "free" }
  | { readonly refusal: string };

type Found = Extract<Finding, { transactionId: TransactionId }>;

/** An id as a record has it; `undefined` for what is none. */
function idOf(value: unknown): TransactionId | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  if (typeof value !== "string" || !/^[1-9]\d{0,39}$/.test(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** What is wrong with a finding, whatever the record; `undefined` where nothing is. */
export function problemOf(finding: unknown): string | undefined {
  if (!isRecord(finding)) return "must be { charged: false } or { transactionId, status }";
  const { charged, transactionId, status, attempt, ...rest } = finding;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `has nothing called ${unknown}`;
  if (attempt !== undefined && !Number.isSafeInteger(attempt)) return "must have an attempt that is a number";
  if (charged !== undefined) {
    const isAlone = transactionId === undefined && status === undefined;
    return charged === false && isAlone ? undefined : "must be { charged: false }, or name the transaction";
  }
  if (idOf(transactionId) === undefined) {
    return "must name the transaction by its id, a whole number above zero";
  }
  const isStatus = TRANSACTION_STATUSES.some((known) => known === status);
  return isStatus ? undefined : `must have a status: ${TRANSACTION_STATUSES.join(", ")}`;
}

/** Of a record whose lease, if it had one, has ended. */
export function resolutionOf(record: OrderRecord, finding: Finding): Resolution {
  const { attempt = record.attempt } = finding;
  if (attempt !== record.attempt) {
    return { refusal: `is about attempt ${attempt}, and by now there is attempt ${record.attempt}` };
  }
  const isNamed = "transactionId" in finding && finding.transactionId !== undefined;
  return isNamed ? withTransaction(record, finding) : withoutCharge(record);
}

function withoutCharge(record: OrderRecord): Resolution {
  if (record.state === "created") {
    return {
      refusal: `cannot be charged: false, because there is transaction ${record.transactionId}: say its status`,
    };
  }
  if (record.state === "free") return { state: "free" };
  return resolved(released(writingOff(record)));
}

function withTransaction(record: OrderRecord, { transactionId, status }: Found): Resolution {
  const id = idOf(transactionId) ?? transactionId;
  const isCurrent = record.state === "created" && record.transactionId === id;
  if (record.state === "created" && !isCurrent) {
    return { refusal: `belongs to another transaction, ${record.transactionId}` };
  }
  const known = record.others.find((other) => other.id === id);
  const isOfEarlier = known !== undefined && known.isStray !== true;
  if (isOfEarlier && isOpen(record) && isDead(status)) {
    return {
      refusal: `names transaction ${id}, which belongs to an earlier attempt and says nothing of this one`,
    };
  }
  // Where an attempt was written off before, it may be of that one.
  const isStray = isCurrent ? record.isStray : !isOfEarlier && record.writtenOff.length > 0;
  const mayBeAnother = isOpen(record) && (isOfEarlier || isStray);
  const common = mayBeAnother ? writingOff(record) : commonOf(record);
  if (isDead(status)) {
    const other: OtherTransaction = { amount: record.amount, ...known, id, status, isStray };
    return resolved(released(withOther(common, other)));
  }
  const before = isCurrent ? record.transaction : undefined;
  const transaction = before ? movedOn(before, { status }) : knownOf(record, id, { status });
  return resolved({ ...created(common, id, transaction), isStray });
}

/** Nobody knows more of the attempt than that it charged nobody, or that it does not matter any more. */
function writingOff(record: OrderRecord) {
  const common = commonOf(record);
  return { ...common, writtenOff: [...common.writtenOff, record.owner] };
}

function resolved(record: OrderRecord): Resolution {
  return { record, state: record.state === "created" ? "created" : "free" };
}
