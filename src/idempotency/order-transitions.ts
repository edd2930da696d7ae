import type {
  AttemptOutcome,
  Claim,
  ClaimedOrder,
  ClaimOptions,
  Finding,
  PossibleDuplicate,
  PostbackUpdate,
  RecordedOutcome,
  ResolvedOrder,
  StoredTransaction,
} from "../contracts/idempotency-store.ts";
import { isRecord, withOwn, withoutPrototype } from "../data/own-properties.ts";
import { TRANSACTION_STATUSES } from "../spec/transaction-status.ts";
import { UNCHARGED_STATUSES, UNDECIDED_STATUSES } from "../spec/transitions.ts";
import {
  amountPaid,
  type CommonFields,
  type CreatedRecord,
  type CurrentRecord,
  isOpen,
  isUpdate,
  type OpenRecord,
  type OtherTransaction,
  pickLatest,
  resolveByOthers,
  type StatusReport,
  type StoredRecord,
  type TransactionId,
  toCommonFields,
  toCreated,
  toCreatedBy,
  toCreatedResult,
  toReleased,
  toTransaction,
  withOther,
  withStatus,
  writeOff,
} from "./order-states.ts";

/** What an operation changes in the record of a reference. */
export interface OrderChange<Result> {
  /** The new record; missing if it does not change. */
  readonly record?: StoredRecord | undefined;
  /** See `DocumentWrite`. Default `false`. */
  readonly mustBeCommitted?: boolean;
  readonly result: Result;
}

// A claim

/** How many lost pix of a reference can be replaced before the outcome of one of them is known. */
const MAX_REPLACEMENTS = 100;

export function decideClaim(
  stored: CurrentRecord | undefined,
  order: ClaimedOrder,
  leaseMs: number,
  { replaceLost, heartbeatMs }: ClaimOptions,
): OrderChange<Claim> {
  const claimAttempt = (attempt: CommonFields): OrderChange<Claim> => {
    const claimed = { ...attempt, state: "claimed", leaseMs, heartbeatMs } as const;
    return { record: claimed, mustBeCommitted: true, result: { state: "yours" } };
  };
  const record = stored?.record;
  if (stored === undefined || record === undefined || record.state === "free") {
    return claimAttempt(createAttempt(record, order));
  }
  const { leaseLeftMs, isLeaseOver } = stored;
  const { amount, paymentMethod, installments } = order;
  const hasSameMethod = record.paymentMethod === paymentMethod && record.installments === installments;
  if (!hasSameMethod || record.amount !== amount) {
    const openState = leaseLeftMs > 0 ? "claimed" : "unresolved";
    return { result: { state: "conflict", earlier: record.state === "created" ? "created" : openState } };
  }
  if (replaceLost === true && isLeaseOver && isReplaceable(record)) {
    return claimAttempt(createReplacement(record, order));
  }
  if (record.state === "created" && (leaseLeftMs === 0 || isComplete(record))) {
    return { result: toCreatedResult(record) };
  }
  return { result: leaseLeftMs > 0 ? { state: "claimed", leaseLeftMs } : { state: "unresolved" } };
}

const NO_RECORD = withoutPrototype<Partial<StoredRecord>>({});

function createAttempt(record: StoredRecord | undefined, order: ClaimedOrder): CommonFields {
  const { owner, amount, paymentMethod, installments } = order;
  const { attempt = 0, others = [], writtenOff = [] } = record ?? NO_RECORD;
  // If each attempt that was written off has its transaction, none of them can belong to the new attempt.
  const past =
    others.filter(({ isStray }) => isStray).length < writtenOff.length
      ? { others, writtenOff }
      : { others: others.map(({ isStray: _, ...other }) => other), writtenOff: [] };
  const terms = { amount, paymentMethod, installments };
  return { ...terms, attempt: attempt + 1, owner, ...past, replaced: [] };
}

/** Whether the latest attempt is a pix that no one can pay, because no one has seen its code. */
function isReplaceable(record: OpenRecord | CreatedRecord): boolean {
  if (record.paymentMethod !== "pix" || record.replaced.length >= MAX_REPLACEMENTS) return false;
  // The customer has the code of a pix that is more than pending, or whose response was received after all.
  const isPayable = (other: OtherTransaction) => other.status !== "pending" || other.pix !== undefined;
  if (record.others.some((other) => isPayable(other) && mayCharge(other))) return false;
  if (record.state !== "created") return true;
  const { transactionId, transaction = { status: "pending", pix: undefined } } = record;
  if (typeof transactionId === "string") return false; // its status is not recorded
  const { status, pix } = transaction;
  return status === "pending" && !pix?.qrcodeText && !pix?.qrcode;
}

/** The fields of an attempt that replaces the latest one, which is remembered: it may be paid after all. */
function createReplacement(record: OpenRecord | CreatedRecord, { owner }: ClaimedOrder): CommonFields {
  const common = toCommonFields(record);
  const next = {
    ...common,
    attempt: common.attempt + 1,
    owner,
    replaced: [...common.replaced, record.owner],
  };
  // What a person recorded may be a mistake: the transaction of the attempt may still be reported.
  if (record.state !== "created" || record.isByHand) {
    return { ...next, writtenOff: [...withoutOwner(common), record.owner] };
  }
  return withOther(next, toOtherOfCreated(record));
}

const withoutOwner = ({ writtenOff, owner }: CommonFields) => writtenOff.filter((other) => other !== owner);

/** The record's current transaction, as an entry of `others`. */
function toOtherOfCreated({ amount: wholeAmount, ...record }: CreatedRecord): OtherTransaction {
  const { transactionId: id, transaction, isStray } = record;
  const { status = "unrecognized", amount = wholeAmount } = transaction ?? {};
  const code = toCode(transaction);
  return { id, status, amount, isStray, ...(code ?? { isLost: true }) };
}

/** The code of a pix, without its picture, which is large and can be drawn from the code. */
function toCode(transaction: StoredTransaction | undefined): Pick<OtherTransaction, "pix"> | undefined {
  const { pix } = withOwn<Partial<StoredTransaction>>(transaction ?? {}, ["pix"]);
  const { qrcodeText = "", expirationDate } = withOwn(pix ?? { qrcodeText: "" }, ["expirationDate"]);
  if (qrcodeText === "") return undefined;
  return { pix: { qrcodeText, ...(expirationDate !== undefined && { expirationDate }) } };
}

/** A pix that only a postback reported has no code to pay with until the response to its request is recorded. */
function isComplete({ paymentMethod, transaction }: CreatedRecord): boolean {
  if (paymentMethod !== "pix" || transaction?.pix !== undefined) return true;
  return !UNDECIDED_STATUSES.has(transaction?.status ?? "unrecognized");
}

// The outcome of an attempt

type Creation = Extract<AttemptOutcome, { outcome: "created" }>;

export function recordOutcome(
  stored: CurrentRecord | undefined,
  order: ClaimedOrder,
  end: AttemptOutcome,
): OrderChange<RecordedOutcome> {
  if (end.outcome !== "created") {
    const result = { possibleDuplicates: [], isReplaced: false };
    return { record: recordNoTransaction(stored?.record, order, end), result };
  }
  const { transactionId: id } = end;
  const record = recordCreation(stored ?? createLostRecord(order), order, end);
  // The next call gets, or waits for, another transaction. A pix without a code that only a postback reported may be
  // invented: it replaces nothing.
  const isReplaced =
    record.state === "created" ? record.transactionId !== id && isComplete(record) : isOpen(record);
  const result = { possibleDuplicates: findPossibleDuplicates(record, id), isReplaced };
  return { record, mustBeCommitted: true, result };
}

function recordNoTransaction(
  stored: StoredRecord | undefined,
  order: ClaimedOrder,
  { outcome }: Exclude<AttemptOutcome, Creation>,
): StoredRecord | undefined {
  // A record that the store has lost is restored only if the customer may have been charged.
  const record = stored ?? (outcome === "unknown" ? createLostRecord(order).record : undefined);
  if (record === undefined || record.owner !== order.owner || record.leaseMs === undefined) return undefined;
  // A postback reported more than the caller knows.
  if (record.state === "created") return { ...record, leaseMs: undefined };
  const common = toCommonFields(record);
  return outcome === "not_created" ? endUncharged(common) : toUnresolved(common);
}

function toUnresolved(common: CommonFields): StoredRecord {
  return resolveByOthers({ ...common, state: "unresolved" }, false);
}

/** The record of an attempt that charged no one. If it replaced another attempt, that attempt is the latest again. */
function endUncharged(common: CommonFields): StoredRecord {
  const owner = common.replaced.at(-1);
  if (owner === undefined) return toReleased(common);
  const writtenOff = common.writtenOff.filter((other) => other !== owner);
  const before = { ...common, owner, writtenOff, replaced: common.replaced.slice(0, -1) };
  // An attempt that was not marked as lost was replaced after its transaction was recorded.
  return common.writtenOff.includes(owner) ? toUnresolved(before) : toReleased(before);
}

function recordCreation(
  { record, isLeaseOver }: CurrentRecord,
  order: ClaimedOrder,
  end: Creation,
): StoredRecord {
  const { transactionId: id, transaction } = end;
  const report = pickLatest(findReport(record, id), transaction ?? { status: "unrecognized" });
  const { status } = report;
  const other = { id, status, ...(transaction && { amount: transaction.amount }), ...toCode(transaction) };
  const writtenOff = record.writtenOff.filter((owner) => owner !== order.owner);
  const updated = withOther({ ...record, writtenOff }, other);

  // The record belongs to another transaction or attempt, and is kept for it.
  if (record.state === "created" && record.transactionId !== id) return updated;
  if (isOpen(updated) && updated.owner !== order.owner) return resolveByOthers(updated, !isLeaseOver);
  // The latest attempt may still be in flight when an earlier one reports the transaction.
  const inFlight = record.state === "created" && record.owner !== order.owner ? record : undefined;
  const common = toCommonFields(updated);
  if (UNCHARGED_STATUSES.has(status)) {
    return withLease(inFlight, record.state === "free" ? toReleased(common) : endUncharged(common));
  }
  const { amount, paymentMethod, installments } = order;
  const own = { ...common, amount, paymentMethod, installments };
  if (transaction) return withLease(inFlight, toCreated(own, id, withStatus(transaction, report)));
  // What a postback reported while the request was in flight.
  const reported = status === "unrecognized" ? undefined : toTransaction(record, { ...report, id });
  const known = record.state === "created" ? record.transaction : undefined;
  return withLease(inFlight, toCreated(own, id, known ?? reported));
}

/** Keeps the lease of a record whose latest attempt may be in flight: its caller reports before anyone else may send. */
function withLease(before: CreatedRecord | undefined, next: StoredRecord): StoredRecord {
  if (!before?.leaseMs) return next; // no caller waits any more
  const { leaseMs, transactionId } = before;
  if (next.state === "created") return { ...next, leaseMs };
  // Once the lease has ended, its transaction resolves the attempt again.
  const others = next.others.map((other) =>
    other.id === transactionId ? { ...other, isStray: true } : other,
  );
  return { ...next, others, state: "claimed", leaseMs };
}

function createLostRecord(order: ClaimedOrder): CurrentRecord {
  const record = { ...createAttempt(undefined, order), state: "claimed", leaseMs: 0 } as const;
  return { record, leaseLeftMs: 0, isLeaseOver: true };
}

function findReport(record: StoredRecord, id: TransactionId): StatusReport | undefined {
  if (record.state === "created" && record.transactionId === id) return record.transaction;
  return record.others.find((other) => other.id === id);
}

/**
 * The other transactions of the reference that may have charged the customer too; none if this one did not.
 *
 * @param id - Default: the transaction of the record.
 */
export function findPossibleDuplicates(
  record: StoredRecord,
  id: TransactionId | undefined = record.state === "created" ? record.transactionId : undefined,
): readonly PossibleDuplicate[] {
  const status = id === undefined ? undefined : findReport(record, id)?.status;
  if (status !== undefined && UNCHARGED_STATUSES.has(status)) return [];
  const current: readonly OtherTransaction[] =
    record.state === "created"
      ? [{ id: record.transactionId, status: record.transaction?.status ?? "unrecognized" }]
      : [];
  return [...current, ...record.others]
    .filter((other) => other.id !== id && mayCharge(other))
    .map((other) => ({ id: other.id, status: other.status }));
}

function mayCharge({ status, isLost }: OtherTransaction): boolean {
  if (isLost && (status === "pending" || status === "unrecognized")) return false;
  return !UNCHARGED_STATUSES.has(status);
}

// A signed postback

export function recordPostback(
  stored: CurrentRecord | undefined,
  { id, status, rawStatus, amount }: PostbackUpdate,
): OrderChange<readonly PossibleDuplicate[]> {
  if (stored === undefined) return { result: [] };
  const before = stored.record;
  const update = { id, status, rawStatus, amount };
  const known = before.others.find((other) => other.id === id);
  let record: StoredRecord | undefined;
  if (before.state === "created" && before.transactionId === id) {
    const { isByHand, ...confirmed } = before;
    record = updateCurrent(confirmed, update) ?? (isByHand ? confirmed : undefined);
  } else record = known === undefined ? addUnknown(before, update) : updateOther(before, known, update);
  return { record, result: findPossibleDuplicates(record ?? before, id) };
}

/** A postback of the record's own transaction. */
function updateCurrent(record: CreatedRecord, update: PostbackUpdate): StoredRecord | undefined {
  const { transaction, isStray } = record;
  const known: StatusReport = transaction ?? { status: "unrecognized" };
  if (!isUpdate(known, update) && !isRightPayment(record, known, update)) return undefined;
  if (!UNCHARGED_STATUSES.has(update.status)) {
    const updated = transaction ? withStatus(transaction, update) : toTransaction(record, update);
    return { ...record, transaction: updated };
  }
  const isWhole = update.amount === (transaction?.amount ?? record.amount);
  if (!isWhole) return undefined;
  return withLease(record, toReleased(withOther(toCommonFields(record), { ...update, isStray })));
}

/** Whether a transaction that was paid with another amount is now reported as paid with the amount of the order. */
function isRightPayment({ amount }: StoredRecord, known: StatusReport, update: StatusReport): boolean {
  const areApproved = known.status === "approved" && update.status === "approved";
  return areApproved && update.amount === amount && amountPaid(known) !== amount;
}

/** A postback of another known transaction. */
function updateOther(
  record: StoredRecord,
  known: OtherTransaction,
  update: PostbackUpdate,
): StoredRecord | undefined {
  // A pix may be paid after it expired: the specification shows no such transition, but the money was paid.
  const isPaidLate = UNCHARGED_STATUSES.has(known.status) && update.status === "approved";
  const isOtherAmount =
    UNCHARGED_STATUSES.has(update.status) && update.amount !== (known.amount ?? record.amount);
  const isNewer = isPaidLate || isUpdate(known, update) || isRightPayment(record, known, update);
  if (!isNewer || isOtherAmount) return undefined;
  const updated = withOther(record, { ...known, ...update });
  if (updated.state === "free") return toReleased(toCommonFields(updated));
  return recordPaidInstead(updated, { ...update, isStray: known.isStray }) ?? updated;
}

/** A postback of an unknown transaction. */
function addUnknown(record: StoredRecord, update: PostbackUpdate): StoredRecord {
  const other: OtherTransaction = { ...update, isStray: true };
  if (record.state === "free") return toReleased(withOther(toCommonFields(record), other));
  const paid = recordPaidInstead(record, other);
  if (paid !== undefined || record.state === "created") return paid ?? withOther(record, other);
  // A status that charges no one is not trusted if the amount is not the requested one.
  if (UNCHARGED_STATUSES.has(update.status) && update.amount !== record.amount) {
    return withOther(record, { ...other, status: "unrecognized" });
  }
  return resolveByOthers(withOther(record, other), true);
}

/**
 * The record of an order that another transaction of the same reference has paid, as the report shows; otherwise
 * `undefined`. The latest attempt replaces a lost pix and is not known to be paid, or was paid with another amount.
 */
function recordPaidInstead(
  record: OpenRecord | CreatedRecord,
  report: OtherTransaction,
): CreatedRecord | undefined {
  const known = isOpen(record) ? undefined : record.transaction;
  const isReplacement = record.replaced.length > 0 && (known?.status ?? "pending") === "pending";
  const hasOtherAmount = known?.status === "approved" && amountPaid(known) !== record.amount;
  const isPaid = report.status === "approved" && (report.amount ?? record.amount) === record.amount;
  if (!isPaid || !(isReplacement || hasOtherAmount)) return undefined;
  const common = isOpen(record)
    ? writeOff(record)
    : withOther(toCommonFields(record), toOtherOfCreated(record));
  return { ...toCreatedBy(common, report), leaseMs: record.leaseMs };
}

// A finding of a person who looked the payment up

/** What a finding changes in a record, or why it cannot be right. */
export type Resolution = OrderChange<ResolvedOrder> | { readonly refusal: string };

/** What is wrong with a finding for any record; `undefined` if it is valid. */
export function findProblem(finding: unknown): string | undefined {
  if (!isRecord(finding)) return "must be { charged: false } or { transactionId, status }";
  const { charged, transactionId, status, attempt, replaces: _, ...rest } = finding;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `has no field ${unknown}`;
  if (attempt !== undefined && !Number.isSafeInteger(attempt)) return "must have an attempt that is a number";
  if (charged !== undefined) {
    const isAlone = transactionId === undefined && status === undefined;
    return charged === false && isAlone ? undefined : "must be { charged: false }, or name the transaction";
  }
  if (parseId(transactionId) === undefined) {
    return "must name the transaction by its id";
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
export function resolveOrder(stored: StoredRecord, finding: Finding): Resolution {
  const { attempt = stored.attempt, replaces } = finding;
  if (attempt !== stored.attempt) {
    return { refusal: `is about attempt ${attempt}, but the latest is attempt ${stored.attempt}` };
  }
  const record = replaces === undefined ? stored : forgetMistake(stored, parseId(replaces));
  if ("refusal" in record) return record;
  const isNamed = "transactionId" in finding && finding.transactionId !== undefined;
  if (isNamed) return resolveWithTransaction(record, finding);
  if (record.state === "free") return { result: { state: "free" } };
  if (record.state !== "created") return toResolution(toReleased(writeOff(record)));
  const { transactionId: id } = record;
  return { refusal: `cannot be charged: false, because transaction ${id} exists: report its status` };
}

/** The record as it was before a person recorded this transaction, or why that was no mistake. */
function forgetMistake(
  record: StoredRecord,
  id: TransactionId | undefined,
): OpenRecord | { readonly refusal: string } {
  const isCurrent = record.state === "created" && record.transactionId === id;
  if (!isCurrent || !record.isByHand) {
    const why = isCurrent ? "a response or a signed postback has named it" : "it is not that of the order";
    return { refusal: `cannot replace transaction ${id}: ${why}` };
  }
  return { ...toCommonFields(record), writtenOff: withoutOwner(record), state: "unresolved" };
}

function resolveWithTransaction(
  record: StoredRecord,
  { transactionId, status }: Extract<Finding, { transactionId: TransactionId }>,
): Resolution {
  const id = parseId(transactionId) ?? transactionId;
  const current = record.state === "created" && record.transactionId === id ? record : undefined;
  const known = record.others.find((other) => other.id === id);
  const isOfEarlier = known !== undefined && known.isStray !== true;
  const isByHand = current ? current.isByHand : known === undefined;
  if (record.state === "created" && current === undefined) {
    return resolveWithOther(record, { id, status, isStray: !isOfEarlier }, isByHand);
  }
  if (isOfEarlier && isOpen(record) && UNCHARGED_STATUSES.has(status)) {
    return {
      refusal: `names transaction ${id}, which an earlier attempt created`,
    };
  }
  // If an earlier attempt was written off, the transaction may belong to that one.
  const isStray = current ? current.isStray : !isOfEarlier && record.writtenOff.length > 0;
  const mayBeAnother = isOpen(record) && (isOfEarlier || isStray);
  const common = mayBeAnother ? writeOff(record) : toCommonFields(record);
  if (UNCHARGED_STATUSES.has(status)) {
    const other: OtherTransaction = { amount: record.amount, ...known, id, status, isStray };
    return toResolution(toReleased(withOther(common, other)));
  }
  const report = { id, status, amount: record.amount, pix: known?.pix }; // paid in full, as a person found it
  const transaction = toFound(record, current?.transaction, report);
  return toResolution({ ...toCreated(common, id, transaction, isStray), isByHand });
}

function toFound(record: StoredRecord, before: StoredTransaction | undefined, report: OtherTransaction) {
  return before ? withStatus(before, report) : toTransaction(record, report);
}

function resolveWithOther(
  record: CreatedRecord,
  report: OtherTransaction,
  isByHand: boolean | undefined,
): Resolution {
  const paid = recordPaidInstead(record, report);
  if (paid) return toResolution({ ...paid, isByHand });
  return { refusal: `belongs to another transaction, ${record.transactionId}` };
}

function toResolution(record: StoredRecord): Resolution {
  return { record, result: record.state === "created" ? toCreatedResult(record) : { state: "free" } };
}
