import type {
  AttemptOutcome,
  IdempotencyStore,
  StoredTransaction,
} from "../../../contracts/idempotency-store.ts";
import type { Transaction } from "../../../contracts/transaction.ts";
import { isRecord, ownProperty, withOwn, withoutPrototype } from "../../../data/own-properties.ts";
import { PixRefusedError, type UnexpectedResponseError } from "../../../errors/api-errors.ts";
import type { IdempotencyStoreError } from "../../../errors/idempotency-errors.ts";
import { addEarlierCharge, type PaymentsError } from "../../../errors/payments-error.ts";
import type { Call } from "../../../http/call.ts";
import { withTimeout } from "../../../http/timers.ts";
import { UNCHARGED_STATUSES, UNDECIDED_STATUSES } from "../../../spec/transitions.ts";
import { isReference } from "../create-request.ts";
import {
  inBackground,
  noResponse,
  type OwnClaim,
  recordWithRetries,
  runInBackground,
  WHILE_WAITING,
  warnAboutStore,
} from "./claim-order.ts";
import { createdError, type StoreErrorDetails, storeError } from "./store-errors.ts";

/** How long a call waits for the record of its outcome, in milliseconds. */
const RECORD_WITHIN_MS = 5_000;

/** How long a failed call waits for the record of its order, in milliseconds. An aborted call waits, too. */
const LOOK_UP_WITHIN_MS = 2_000;

const CODE_NOT_RECORDED =
  "The transaction exists, but a later call could replace it, so its code is not returned: once the store works, call " +
  "again with the same externalRef.";

const CALL_AGAIN = "Call again with the same externalRef to get the current one.";

/**
 * Records that a create call returned a transaction. Never takes long.
 *
 * @throws {UnexpectedResponseError} `created`, if the order has another pix by now: only one code may be shown.
 * @throws {IdempotencyStoreError} `created`, if the store has no record of a pix: a later call could replace it.
 */
export async function recordCreated(call: Call, claim: OwnClaim, transaction: Transaction): Promise<void> {
  const { id, paymentMethod, status } = transaction;
  const created = { outcome: "created", transactionId: id, transaction: toStored(transaction) } as const;
  const isPayablePix = paymentMethod === "pix" && UNDECIDED_STATUSES.has(status);
  const consequence = isPayablePix ? CODE_NOT_RECORDED : undefined;
  const recorded = await record(call, claim, created, { outcome: "created", consequence, transactionId: id });
  if (isPayablePix && recorded.error !== undefined) throw recorded.error;
  if (recorded.error !== undefined) call.report(recorded.error);
  if (isPayablePix && recorded.isReplaced) {
    const problem = `Another call has replaced transaction ${id}, so its code is not returned.`;
    const issue = { field: "data.pix.qrcodeText", message: "is not the code of the order" };
    throw createdError(call, problem, issue, { transactionId: id, consequence: CALL_AGAIN });
  }
  if (UNCHARGED_STATUSES.has(status) && recorded.isReplaced) {
    call.warn("externalRef", "has another transaction or attempt. Check whether the customer was charged.");
  }
}

/**
 * Records that a create call failed, and sets `mayHaveCharged` of its error: if the call charged no one itself, an earlier
 * call for its order may have. In doubt, it is `true`. Never rejects, and never takes long.
 *
 * @param claim - Missing if the call did not claim its order.
 * @returns the error of the call.
 */
export async function recordFailure(
  call: Call,
  store: IdempotencyStore,
  claim: OwnClaim | undefined,
  failure: PaymentsError,
): Promise<PaymentsError> {
  let recorded: Recorded | undefined;
  if (claim !== undefined) {
    const outcome = failure.outcome === "not_applicable" ? "unknown" : failure.outcome;
    recorded = await record(call, claim, toOutcome(failure, claim), { outcome });
    if (recorded.error !== undefined) call.report(recorded.error);
  }
  if (claim !== undefined && failure instanceof PixRefusedError) {
    const { transactionId } = failure;
    // A postback may arrive before the response: then the store has the pix as the transaction of its order.
    const reading = withTimeout({ ms: RECORD_WITHIN_MS }, async () => store.get(claim.order.externalRef));
    const stored: unknown = await reading.catch(() => undefined);
    if (isRecord(stored) && ownProperty(stored, "transactionId") === transactionId) {
      const problem = `The response refused transaction ${transactionId}, but a postback reported that it may be paid.`;
      const issue = { field: "data.status", message: "is not what a postback reported" };
      return createdError(call, problem, issue, { transactionId });
    }
  }
  if (!failure.mayHaveCharged && (await mayHaveCharged(call, store, recorded))) addEarlierCharge(failure);
  return failure;
}

async function mayHaveCharged(
  call: Call,
  store: IdempotencyStore,
  recorded: Recorded | undefined,
): Promise<boolean> {
  const { externalRef, options } = call;
  if (!isReference(externalRef)) return false; // no order can have been sent with it
  if (recorded && (recorded.error || recorded.isReplaced || recorded.hasDuplicates)) return true;
  try {
    // A custom store may have no `get`. An order that this call could claim was free, or a lost pix.
    if (typeof store.get !== "function") return recorded === undefined || options.replaceLost;
    const order: unknown = await withTimeout({ ms: LOOK_UP_WITHIN_MS }, async () => store.get(externalRef));
    if (order === undefined) return false;
    // A custom store may return anything: only a record of this order that is free proves that no one was charged.
    const { externalRef: reference, state, possibleDuplicates: others } = withoutPrototype(Object(order));
    const isFree = reference === externalRef && state === "free";
    return !isFree || !Array.isArray(others) || others.length > 0;
  } catch {
    return true;
  }
}

/**
 * The part that a store keeps: no personal data, no postback URL, which may be a credential, and no picture of a code,
 * which is large and can be drawn from the code.
 */
function toStored(transaction: Transaction): StoredTransaction {
  const { customer: _customer, metadata: _metadata, postBackUrl: _url, ...kept } = transaction;
  if (kept.paymentMethod !== "pix" || kept.pix.qrcodeText === "") return kept;
  const { qrcode: _picture, ...pix } = kept.pix;
  return { ...kept, pix };
}

function toOutcome(failure: PaymentsError, { order: { amount } }: OwnClaim): AttemptOutcome {
  if (failure instanceof PixRefusedError) {
    // With its id, so that a late postback of this pix is not taken for one of the next attempt.
    const { transactionId, status } = failure;
    const transaction = { id: transactionId, status, amount, paymentMethod: "pix" } as const;
    return { outcome: "created", transactionId, transaction };
  }
  if (failure.outcome === "not_sent" || failure.outcome === "rejected") return { outcome: "not_created" };
  // An ApiError may have an id, too: that of a 2xx with `success: false`.
  const names = ["transactionId", "transaction"];
  const { transactionId, transaction } = withOwn(failure as Partial<UnexpectedResponseError>, names);
  if (failure.outcome !== "created" || transactionId === undefined) return { outcome: "unknown" };
  // If its status could be trusted, the call would not have failed: it must not free the order.
  const isCertain = transaction !== undefined && !UNCHARGED_STATUSES.has(transaction.status);
  return { outcome: "created", transactionId, transaction: isCertain ? toStored(transaction) : undefined };
}

/** What the store returned when a call recorded its outcome. */
interface Recorded {
  /** Whether the order belongs to another attempt or transaction by now. */
  readonly isReplaced: boolean;
  /** Whether other transactions of the order may have charged the customer. */
  readonly hasDuplicates: boolean;
  /** Set if the store has no record of the outcome. */
  readonly error: IdempotencyStoreError | undefined;
}

async function record(
  call: Call,
  claim: OwnClaim,
  outcome: AttemptOutcome,
  details: StoreErrorDetails,
): Promise<Recorded> {
  const limit = { ms: RECORD_WITHIN_MS, createError: () => noResponse(RECORD_WITHIN_MS) };
  try {
    const recorded = await withTimeout(limit, () => recordWithRetries(claim, outcome, WHILE_WAITING));
    return parseRecorded(call, recorded);
  } catch (cause) {
    const later = recordWithRetries(claim, outcome, inBackground(call));
    runInBackground(
      call,
      later.then((recorded) => parseRecorded(call, recorded)),
    );
    const error = storeError(call, "has no record of the outcome of this call", cause, details);
    return { isReplaced: false, hasDuplicates: false, error };
  } finally {
    warnAboutStore(call, claim.store);
  }
}

/** Warns about other transactions of the order. A custom store may return only their ids, or nothing. */
function parseRecorded(call: Call, recorded: unknown): Recorded {
  const others = isRecord(recorded) ? ownProperty(recorded, "possibleDuplicates") : recorded;
  const hasDuplicates = Array.isArray(others) && others.length > 0;
  if (hasDuplicates) {
    const list = others.map((other) => (isRecord(other) ? ownProperty(other, "id") : other)).join(", ");
    const message = `has other transactions too: ${list}. Check whether the customer was charged twice.`;
    call.warn("externalRef", message);
  }
  const isReplaced = isRecord(recorded) && ownProperty(recorded, "isReplaced") === true;
  return { isReplaced, hasDuplicates, error: undefined };
}
