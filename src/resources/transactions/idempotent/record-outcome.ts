import type { AttemptEnd, ClaimedOrder, IdempotencyStore } from "../../../contracts/idempotency-store.ts";
import type { Transaction } from "../../../contracts/transaction.ts";
import { isRecord, own, ownCopy } from "../../../data/own.ts";
import type { UnexpectedResponseError } from "../../../errors/api-errors.ts";
import { IdempotencyStoreError } from "../../../errors/idempotency-errors.ts";
import type { Outcome, PaymentsError } from "../../../errors/payments-error.ts";
import { PixRefusedError } from "../../../errors/refusal-errors.ts";
import { sanitizeError } from "../../../errors/sanitize-error.ts";
import type { Call } from "../../../http/call.ts";
import { backgroundPause, type Deadline, withTimeout } from "../../../http/timers.ts";
import { UNCHARGED_STATUSES, UNDECIDED_STATUSES } from "../../../spec/transitions.ts";
import { createContradictedError, createReplacedError, toStored } from "./stored-transaction.ts";

/** How long a call waits for the record of its outcome, in milliseconds. */
const RECORD_WITHIN_MS = 5_000;

/** The delays before a failed record is retried, in milliseconds. */
const RETRY_AFTER_MS = [50, 200] as const;

/** The delays in the background, once the call no longer waits; the last one repeats. */
const BACKGROUND_RETRY_AFTER_MS = [1_000, 2_000, 5_000] as const;

/** How long a record is retried in the background, in milliseconds. A failover takes less. */
const BACKGROUND_FOR_MS = 10 * 60_000;

/** Maximum number of claims that are released in the background at a time: an outage must not fill the memory. */
const MAX_RELEASING = 1_000;

let releasing = 0;

/** Describes this call only, because an earlier call for the same reference may have sent a request. */
export const NOT_SENT_BY_THIS_CALL = "Nothing was sent by this call.";

/**
 * Records that a create call returned a transaction. Never takes long.
 *
 * @throws {UnexpectedResponseError} `created`, if the order has another pix by now: only one code may be shown.
 * @throws {IdempotencyStoreError} `created`, if the store has no record of a pix: a later call could replace it.
 */
export async function recordCreated(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  transaction: Transaction,
): Promise<void> {
  const { id, paymentMethod, status } = transaction;
  const end = { outcome: "created", transactionId: id, transaction: toStored(transaction) } as const;
  const isPayablePix = paymentMethod === "pix" && UNDECIDED_STATUSES.has(status);
  const consequence = isPayablePix ? CODE_NOT_RECORDED : undefined;
  const details = { outcome: "created", consequence, transactionId: id } as const;
  const recorded = await record(call, store, order, end, details);
  if (isPayablePix && recorded.error !== undefined) throw recorded.error;
  if (recorded.error !== undefined) call.emit({ type: "error", error: recorded.error });
  if (isPayablePix && recorded.isReplaced) throw createReplacedError(call, id);
  if (UNCHARGED_STATUSES.has(status) && recorded.isReplaced) {
    call.warn("externalRef", "has another transaction or attempt. Check whether the customer was charged.");
  }
}

const CODE_NOT_RECORDED =
  "The transaction exists, but a later call could replace it, so its code is not returned: once the store works, call " +
  "again with the same externalRef.";

/** What the store returned when a call recorded its outcome. */
export interface Recorded {
  /** Whether the order belongs to another attempt or transaction by now. */
  readonly isReplaced: boolean;
  /** Whether other transactions of the order may have charged the customer. */
  readonly hasDuplicates: boolean;
  /** Set if the store has no record of the outcome. */
  readonly error?: IdempotencyStoreError;
}

/** Records that a create call failed. Never rejects, and never takes long. */
export async function recordFailure(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  failure: PaymentsError,
): Promise<Recorded> {
  const outcome = failure.outcome === "not_applicable" ? "unknown" : failure.outcome;
  const recorded = await record(call, store, order, toEnd(failure, order), { outcome });
  if (recorded.error !== undefined) call.emit({ type: "error", error: recorded.error });
  return recorded;
}

/**
 * A postback may report that a refused pix was paid before its response arrives.
 *
 * @throws {UnexpectedResponseError} `created`, if the store then has it as the transaction of the order.
 */
export async function assertNotReportedPaid(
  call: Call,
  store: IdempotencyStore,
  { externalRef = "", transactionId }: PixRefusedError,
): Promise<void> {
  const limit = { ms: RECORD_WITHIN_MS, createError: () => new Error("It did not respond.") };
  const stored = await withTimeout(limit, async () => store.get(externalRef)).catch(() => undefined);
  if (isRecord(stored) && own(stored, "transactionId") === transactionId) {
    throw createContradictedError(call, transactionId);
  }
}

function toEnd(failure: PaymentsError, { amount }: ClaimedOrder): AttemptEnd {
  if (failure instanceof PixRefusedError) {
    // With its id, so that a late postback of this pix is not taken for one of the next attempt.
    const { transactionId, status } = failure;
    const transaction = { id: transactionId, status, amount, paymentMethod: "pix" } as const;
    return { outcome: "created", transactionId, transaction };
  }
  if (failure.outcome === "not_sent" || failure.outcome === "rejected") return { outcome: "not_created" };
  // An ApiError may have an id, too: that of a 2xx with `success: false`.
  const { transactionId, transaction } = ownCopy(failure as Partial<UnexpectedResponseError>, [
    "transactionId",
    "transaction",
  ]);
  if (failure.outcome !== "created" || transactionId === undefined) return { outcome: "unknown" };
  // If its status could be trusted, the call would not have failed: it must not free the order.
  const isCertain = transaction !== undefined && !UNCHARGED_STATUSES.has(transaction.status);
  return { outcome: "created", transactionId, transaction: isCertain ? toStored(transaction) : undefined };
}

async function record(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
  details: StoreErrorDetails,
): Promise<Recorded> {
  const late = () => new Error(`It did not respond within ${RECORD_WITHIN_MS} ms.`);
  try {
    const recorded = await withTimeout({ ms: RECORD_WITHIN_MS, createError: late }, () =>
      endWithRetries(store, order, end),
    );
    const hasDuplicates = warnAboutDuplicates(call, recorded);
    return { isReplaced: isRecord(recorded) && own(recorded, "isReplaced") === true, hasDuplicates };
  } catch (cause) {
    endInBackground(store, order, end)
      .then((recorded) => warnAboutDuplicates(call, recorded))
      .catch(() => undefined); // the order is listed as unresolved when its lease ends
    const error = storeError(call, "has no record of the outcome of this call", cause, details);
    return { isReplaced: false, hasDuplicates: false, error };
  }
}

/**
 * @param recorded - A custom store may return only ids, or nothing.
 * @returns whether there are any.
 */
function warnAboutDuplicates(call: Call, recorded: unknown): boolean {
  const others = isRecord(recorded) ? own(recorded, "possibleDuplicates") : recorded;
  if (!Array.isArray(others) || others.length === 0) return false;
  const list = others.map((other) => (isRecord(other) ? own(other, "id") : other)).join(", ");
  call.warn(
    "externalRef",
    `has other transactions too: ${list}. Check whether the customer was charged twice.`,
  );
  return true;
}

/** Recording the same outcome twice is harmless, so a store that fails is called again. */
async function endWithRetries(
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
): Promise<unknown> {
  for (const delayMs of RETRY_AFTER_MS) {
    try {
      return await store.end(order, end);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return store.end(order, end);
}

/**
 * Continues after {@link endWithRetries}: the store may recover. It does not keep the process alive.
 *
 * @param repeatUntil - Records the same end again and again until then.
 */
async function endInBackground(
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
  repeatUntil?: Deadline,
): Promise<unknown> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries += 1) {
    await backgroundPause(BACKGROUND_RETRY_AFTER_MS[tries] ?? BACKGROUND_RETRY_AFTER_MS[2]);
    try {
      const recorded = await store.end(order, end);
      if (repeatUntil === undefined || repeatUntil.isOver) return recorded;
    } catch (error) {
      if (performance.now() - startedAt > BACKGROUND_FOR_MS) throw error;
    }
  }
}

/**
 * Releases a claim that failed, but may have been made anyway: nothing was sent. It never rejects.
 *
 * @param mayAppearUntil - Until when the store may still make the claim: a database may commit a statement long after its
 * client has given it up. The release of a claim that does not exist, or that another call made, changes nothing.
 */
export async function releaseClaim(
  store: IdempotencyStore,
  order: ClaimedOrder,
  mayAppearUntil?: Deadline,
): Promise<void> {
  const end = { outcome: "not_created" } as const;
  try {
    await endWithRetries(store, order, end);
    if (mayAppearUntil === undefined) return;
  } catch {
    // retried below
  }
  if (releasing >= MAX_RELEASING) return; // it is listed as unresolved when its lease ends
  releasing += 1;
  await endInBackground(store, order, end, mayAppearUntil).catch(() => undefined);
  releasing -= 1;
}

interface StoreErrorDetails {
  readonly outcome?: Exclude<Outcome, "not_applicable">;
  readonly consequence?: string | undefined;
  readonly transactionId?: number | string | undefined;
}

export function storeError(
  call: Call,
  problem: string,
  error?: unknown,
  { outcome = "not_sent", consequence, transactionId }: StoreErrorDetails = {},
): IdempotencyStoreError {
  const cause = error === undefined ? undefined : sanitizeError(error, call.redactor);
  const reason = cause?.message ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const sentence = outcome === "not_sent" ? NOT_SENT_BY_THIS_CALL : consequence;
  const context = { ...call.context(outcome), cause, consequence: sentence };
  return new IdempotencyStoreError(`The idempotency store ${problem}${reason}.`, context, transactionId);
}
