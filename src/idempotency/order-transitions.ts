import { isRecord } from "../data/own.ts";
import { TRANSACTION_STATUSES } from "../spec/transaction-status.ts";
import { UNCHARGED_STATUSES, UNDECIDED_STATUSES } from "../spec/transitions.ts";
import type {
  AttemptEnd,
  Claim,
  ClaimedOrder,
  Finding,
  PaymentTerms,
  PostbackNews,
  RivalTransaction,
} from "./contract.ts";
import {
  type CommonFields,
  type CreatedRecord,
  hasLease,
  isOpen,
  isUpdate,
  keepLease,
  leaseLeftMs,
  type OrderRecord,
  type OtherTransaction,
  pickLatest,
  resolveByStrays,
  type StatusReport,
  type Stored,
  type TransactionId,
  toCommonFields,
  toCreated,
  toReleased,
  toTerms,
  toTransaction,
  withOther,
  withStatus,
} from "./order-states.ts";

/** What an operation changes in the record of a reference. */
export interface Change<Result> {
  /** The new record; missing if it does not change. */
  readonly record?: OrderRecord | undefined;
  readonly result: Result;
}

// A claim

export function decideClaim(stored: Stored | undefined, order: ClaimedOrder, leaseMs: number): Change<Claim> {
  const record = stored?.record;
  if (stored === undefined || record === undefined || record.state === "free") {
    return {
      record: { ...createAttempt(record, order), state: "claimed", leaseMs },
      result: { state: "yours" },
    };
  }
  const leftMs = leaseLeftMs(stored);
  if (!hasSameTerms(record, order)) {
    const openState = leftMs > 0 ? "claimed" : "unresolved";
    return { result: { state: "conflict", earlier: record.state === "created" ? "created" : openState } };
  }
  if (record.state === "created" && (leftMs === 0 || isComplete(record))) {
    const { transactionId, transaction } = record;
    return { result: { state: "created", transactionId, ...(transaction && { transaction }) } };
  }
  return { result: leftMs > 0 ? { state: "claimed", leaseLeftMs: leftMs } : { state: "unresolved" } };
}

/** The fields of an attempt that begins now. */
function createAttempt(record: OrderRecord | undefined, order: ClaimedOrder): CommonFields {
  const claimedAt = new Date().toISOString();
  const { attempt = 0, firstClaimedAt = claimedAt, others = [], writtenOff = [] } = record ?? {};
  const strays = others.filter(({ isStray }) => isStray);
  // If each attempt that was written off has its transaction, no stray can belong to the new attempt.
  const past =
    strays.length < writtenOff.length
      ? { others, writtenOff }
      : { others: others.map(({ isStray: _, ...other }) => other), writtenOff: [] };
  const { owner } = order;
  return { ...toTerms(order), attempt: attempt + 1, owner, ...past, firstClaimedAt, claimedAt };
}

function hasSameTerms(record: PaymentTerms, { amount, paymentMethod, installments }: PaymentTerms): boolean {
  const isSameMethod = record.paymentMethod === paymentMethod && record.installments === installments;
  return record.amount === amount && isSameMethod;
}

/** A pix that only a postback reported has no code to pay with until the response to its request is recorded. */
function isComplete({ paymentMethod, transaction }: CreatedRecord): boolean {
  if (paymentMethod !== "pix" || transaction?.pix !== undefined) return true;
  return !UNDECIDED_STATUSES.has(transaction?.status ?? "unrecognized");
}

// The end of an attempt

type Creation = Extract<AttemptEnd, { outcome: "created" }>;

export function endAttempt(
  stored: Stored | undefined,
  order: ClaimedOrder,
  end: AttemptEnd,
): Change<readonly RivalTransaction[]> {
  if (end.outcome !== "created") return { record: endWithoutTransaction(stored, order, end), result: [] };
  const record = recordCreation(stored, order, end);
  return { record, result: findPossibleDuplicates(record, end.transactionId) };
}

function endWithoutTransaction(
  stored: Stored | undefined,
  order: ClaimedOrder,
  { outcome }: Exclude<AttemptEnd, Creation>,
): OrderRecord | undefined {
  // A record that the store has lost is restored only if the customer may have been charged.
  const record = stored?.record ?? (outcome === "unknown" ? createLostRecord(order) : undefined);
  if (record === undefined || record.owner !== order.owner || !hasLease(record)) return undefined;
  // A postback reported more than the caller knows.
  if (record.state === "created") return { ...record, leaseMs: undefined };
  const common = toCommonFields(record);
  if (outcome === "not_created") return toReleased(common);
  return resolveByStrays({ ...common, endedAt: new Date().toISOString(), state: "unresolved" }, false);
}

function recordCreation(stored: Stored | undefined, order: ClaimedOrder, end: Creation): OrderRecord {
  const { record, ageMs } = stored ?? { record: createLostRecord(order), ageMs: 0 };
  const { transactionId: id, transaction } = end;
  const report = pickLatest(findReport(record, id), transaction ?? { status: "unrecognized" });
  const { status } = report;
  const other = { id, status, ...(transaction && { amount: transaction.amount }) };
  const updated = withOther(keepLease({ record, ageMs }), other);
  const writtenOff = record.writtenOff.filter((owner) => owner !== order.owner);

  if (isAboutAnother(record, order, id)) {
    const unchanged = { ...updated, writtenOff };
    return isOpen(unchanged) ? resolveByStrays(unchanged, true) : unchanged;
  }
  const common = { ...toCommonFields(updated), writtenOff };
  if (UNCHARGED_STATUSES.has(status)) return toReleased(common);
  const { installments: _, ...rest } = common;
  const before = record.state === "created" ? record.transaction : undefined;
  return toCreated(
    { ...rest, ...toTerms(order) },
    id,
    transaction ? withStatus(transaction, report) : before,
  );
}

function createLostRecord(order: ClaimedOrder): OrderRecord {
  return { ...createAttempt(undefined, order), state: "claimed", leaseMs: 0 };
}

/** Whether the record belongs to another transaction or attempt, and is kept for it. */
function isAboutAnother(record: OrderRecord, { owner }: ClaimedOrder, id: TransactionId): boolean {
  if (record.state === "created") return record.transactionId !== id;
  return record.state !== "free" && record.owner !== owner;
}

function findReport(record: OrderRecord, id: TransactionId): StatusReport | undefined {
  if (record.state === "created" && record.transactionId === id) return record.transaction;
  return record.others.find((other) => other.id === id);
}

/** The other transactions of the reference that may have charged the customer too; none if this one did not. */
function findPossibleDuplicates(record: OrderRecord, id: TransactionId): readonly RivalTransaction[] {
  const own = findReport(record, id);
  if (own !== undefined && UNCHARGED_STATUSES.has(own.status)) return [];
  const current: readonly RivalTransaction[] =
    record.state === "created"
      ? [{ id: record.transactionId, status: record.transaction?.status ?? "unrecognized" }]
      : [];
  return [...current, ...record.others]
    .filter((other) => other.id !== id && !UNCHARGED_STATUSES.has(other.status))
    .map((other) => ({ id: other.id, status: other.status }));
}

// A signed postback

export function applyPostback(
  stored: Stored | undefined,
  update: PostbackNews,
): Change<readonly RivalTransaction[]> {
  if (stored === undefined) return { result: [] };
  const record = updateByPostback(stored, update);
  return { record, result: findPossibleDuplicates(record ?? stored.record, update.id) };
}

function updateByPostback(stored: Stored, update: PostbackNews): OrderRecord | undefined {
  const record = keepLease(stored);
  if (record.state === "created" && record.transactionId === update.id) {
    return updateCurrent(record, update);
  }
  const known = record.others.find(({ id }) => id === update.id);
  return known === undefined ? addStray(record, update) : updateOther(record, known, update);
}

/** A postback of the record's own transaction. */
function updateCurrent(record: CreatedRecord, update: PostbackNews): OrderRecord | undefined {
  const { transaction, isStray } = record;
  if (!isUpdate(transaction ?? { status: "unrecognized" }, update)) return undefined;
  if (!UNCHARGED_STATUSES.has(update.status)) {
    const updated = transaction ? withStatus(transaction, update) : toTransaction(record, update.id, update);
    return { ...record, transaction: updated };
  }
  const isWhole = update.amount === (transaction?.amount ?? record.amount);
  return isWhole ? toReleased(withOther(toCommonFields(record), { ...toOther(update), isStray })) : undefined;
}

/** A postback of another known transaction. */
function updateOther(
  record: OrderRecord,
  known: OtherTransaction,
  update: PostbackNews,
): OrderRecord | undefined {
  // A pix may be paid after it expired: the specification shows no such transition, but the money was paid.
  const isPaidLate = UNCHARGED_STATUSES.has(known.status) && update.status === "approved";
  const isOtherAmount =
    UNCHARGED_STATUSES.has(update.status) && update.amount !== (known.amount ?? record.amount);
  if (!(isPaidLate || isUpdate(known, update)) || isOtherAmount) return undefined;
  const updated = withOther(record, { ...known, ...toOther(update) });
  return record.state === "free" ? toReleased(toCommonFields(updated)) : updated;
}

/** A postback of an unknown transaction. */
function addStray(record: OrderRecord, update: PostbackNews): OrderRecord {
  const other: OtherTransaction = { ...toOther(update), isStray: true };
  if (record.state === "created") return withOther(record, other);
  if (!isOpen(record)) return toReleased(withOther(toCommonFields(record), other));
  // A status that charges no one is not trusted if the amount is not the requested one.
  if (UNCHARGED_STATUSES.has(update.status) && update.amount !== record.amount) {
    return withOther(record, { ...other, status: "unrecognized" });
  }
  return resolveByStrays(withOther(record, other), true);
}

function toOther({ id, status, rawStatus, amount }: PostbackNews): OtherTransaction {
  return { id, status, rawStatus, amount };
}

// A finding of a person who looked the payment up

/** What a finding changes in a record, or why it cannot be right. */
export type Resolution = Change<"created" | "free"> | { readonly refusal: string };

/** What is wrong with a finding for any record; `undefined` if it is valid. */
export function findProblem(finding: unknown): string | undefined {
  if (!isRecord(finding)) return "must be { charged: false } or { transactionId, status }";
  const { charged, transactionId, status, attempt, ...rest } = finding;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `has no field ${unknown}`;
  if (attempt !== undefined && !Number.isSafeInteger(attempt)) return "must have an attempt that is a number";
  if (charged !== undefined) {
    const isAlone = transactionId === undefined && status === undefined;
    return charged === false && isAlone ? undefined : "must be { charged: false }, or name the transaction";
  }
  if (parseId(transactionId) === undefined) {
    return "must name the transaction by its id, a whole number above zero";
  }
  const isStatus = TRANSACTION_STATUSES.some((known) => known === status);
  return isStatus ? undefined : `must have a status: ${TRANSACTION_STATUSES.join(", ")}`;
}

/** A transaction id as records store it; `undefined` if the value is not an id. */
function parseId(value: unknown): TransactionId | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  if (typeof value !== "string" || !/^[1-9]\d{0,39}$/.test(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Resolves a record whose lease, if it had one, has ended. */
export function resolveOrder(record: OrderRecord, finding: Finding): Resolution {
  const { attempt = record.attempt } = finding;
  if (attempt !== record.attempt) {
    return { refusal: `is about attempt ${attempt}, but the latest is attempt ${record.attempt}` };
  }
  const isNamed = "transactionId" in finding && finding.transactionId !== undefined;
  return isNamed ? resolveWithTransaction(record, finding) : resolveWithoutCharge(record);
}

function resolveWithoutCharge(record: OrderRecord): Resolution {
  if (record.state === "created") {
    return {
      refusal: `cannot be charged: false, because transaction ${record.transactionId} exists: report its status`,
    };
  }
  return record.state === "free" ? { result: "free" } : toResolution(toReleased(writeOff(record)));
}

function resolveWithTransaction(
  record: OrderRecord,
  { transactionId, status }: Extract<Finding, { transactionId: TransactionId }>,
): Resolution {
  const id = parseId(transactionId) ?? transactionId;
  const isCurrent = record.state === "created" && record.transactionId === id;
  if (record.state === "created" && !isCurrent) {
    return { refusal: `belongs to another transaction, ${record.transactionId}` };
  }
  const known = record.others.find((other) => other.id === id);
  const isOfEarlier = known !== undefined && known.isStray !== true;
  if (isOfEarlier && isOpen(record) && UNCHARGED_STATUSES.has(status)) {
    return {
      refusal: `names transaction ${id}, which belongs to an earlier attempt and shows nothing about this one`,
    };
  }
  // If an earlier attempt was written off, the transaction may belong to that one.
  const isStray = isCurrent ? record.isStray : !isOfEarlier && record.writtenOff.length > 0;
  const mayBeAnother = isOpen(record) && (isOfEarlier || isStray);
  const common = mayBeAnother ? writeOff(record) : toCommonFields(record);
  if (UNCHARGED_STATUSES.has(status)) {
    const other: OtherTransaction = { amount: record.amount, ...known, id, status, isStray };
    return toResolution(toReleased(withOther(common, other)));
  }
  const before = isCurrent ? record.transaction : undefined;
  const transaction = before ? withStatus(before, { status }) : toTransaction(record, id, { status });
  return toResolution({ ...toCreated(common, id, transaction), isStray });
}

/** Remembers that the latest attempt is recorded as not charged, or is no longer relevant. */
function writeOff(record: OrderRecord): CommonFields {
  const common = toCommonFields(record);
  return { ...common, writtenOff: [...common.writtenOff, record.owner] };
}

function toResolution(record: OrderRecord): Resolution {
  return { record, result: record.state === "created" ? "created" : "free" };
}
