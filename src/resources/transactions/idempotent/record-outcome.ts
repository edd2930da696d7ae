import { ownCopy } from "../../../data/own.ts";
import { IdempotencyStoreError } from "../../../errors/idempotency-store-error.ts";
import type { Outcome } from "../../../errors/outcome.ts";
import type { PaymentsError } from "../../../errors/payments-error.ts";
import { sanitizeError } from "../../../errors/sanitize-error.ts";
import type { UnexpectedResponseError } from "../../../errors/unexpected-response-error.ts";
import type { Call } from "../../../http/call.ts";
import { backgroundPause, withTimeout } from "../../../http/timers.ts";
import type { AttemptEnd, ClaimedOrder, IdempotencyStore } from "../../../idempotency/contract.ts";
import type { Transaction } from "../transaction.ts";
import { toStored } from "./stored-transaction.ts";

/** How long a call waits for the record of its outcome, in milliseconds. */
const RECORD_WITHIN_MS = 5_000;

/** The delays before a failed record is retried, in milliseconds. */
const RETRY_AFTER_MS = [50, 200] as const;

/** The delays in the background, once the call no longer waits; the last one repeats. */
const BACKGROUND_RETRY_AFTER_MS = [1_000, 2_000, 5_000] as const;

/** How long a record is retried in the background, in milliseconds. A failover takes less. */
const BACKGROUND_FOR_MS = 10 * 60_000;

/** Maximum number of claims that are released in the background at a time: a long outage must not fill the memory. */
const MAX_RELEASING = 1_000;

let releasing = 0;

type Ids = readonly (number | string)[];

/** Describes this call only, because an earlier call for the same reference may have sent a request. */
export const NOT_SENT_BY_THIS_CALL = "Nothing was sent by this call.";

/** Records that a create call returned a transaction. Never rejects, and never takes long. */
export function recordCreated(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  transaction: Transaction,
): Promise<void> {
  const end = {
    outcome: "created",
    transactionId: transaction.id,
    transaction: toStored(transaction),
  } as const;
  return record(call, store, order, end, "created");
}

/** Records that a create call failed. Never rejects, and never takes long. */
export function recordFailure(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  failure: PaymentsError,
): Promise<void> {
  const { outcome } = failure;
  return record(call, store, order, toEnd(failure), outcome === "not_applicable" ? "unknown" : outcome);
}

function toEnd(failure: PaymentsError): AttemptEnd {
  if (failure.outcome === "not_sent" || failure.outcome === "rejected") return { outcome: "not_created" };
  // An ApiError may have an id, too: that of a 2xx with `success: false`.
  const { transactionId, transaction } = ownCopy(failure as Partial<UnexpectedResponseError>, [
    "transactionId",
    "transaction",
  ]);
  if (failure.outcome !== "created" || transactionId === undefined) return { outcome: "unknown" };
  return { outcome: "created", transactionId, transaction: transaction && toStored(transaction) };
}

async function record(
  call: Call,
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
  outcome: "not_sent" | "rejected" | "unknown" | "created",
): Promise<void> {
  const late = () => new Error(`It did not respond within ${RECORD_WITHIN_MS} ms.`);
  try {
    const ids = await withTimeout({ ms: RECORD_WITHIN_MS, createError: late }, () =>
      endWithRetries(store, order, end),
    );
    if (ids?.length > 0) warnAboutDuplicates(call, ids);
  } catch (error) {
    const missing = storeError(call, "has no record of the outcome of this call", error, outcome);
    call.emit({ type: "error", error: missing });
    endInBackground(store, order, end)
      .then((ids) => warnAboutDuplicates(call, ids))
      .catch(() => undefined); // the order is listed as unresolved when its lease ends
  }
}

function warnAboutDuplicates(call: Call, ids: Ids): void {
  // A custom store may return nothing.
  if (!Array.isArray(ids) || ids.length === 0) return;
  const list = ids.join(", ");
  call.warn(
    "externalRef",
    `has other transactions too: ${list}. Check whether the customer was charged twice.`,
  );
}

/** Recording the same outcome twice is harmless, so a store that fails is called again. */
async function endWithRetries(store: IdempotencyStore, order: ClaimedOrder, end: AttemptEnd): Promise<Ids> {
  for (const delayMs of RETRY_AFTER_MS) {
    try {
      return await store.end(order, end);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return store.end(order, end);
}

/** Continues after {@link endWithRetries} failed: the store may recover. It does not keep the process alive. */
async function endInBackground(store: IdempotencyStore, order: ClaimedOrder, end: AttemptEnd): Promise<Ids> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries += 1) {
    await backgroundPause(BACKGROUND_RETRY_AFTER_MS[tries] ?? BACKGROUND_RETRY_AFTER_MS[2]);
    try {
      return await store.end(order, end);
    } catch (error) {
      if (performance.now() - startedAt > BACKGROUND_FOR_MS) throw error;
    }
  }
}

/** Releases a claim that failed, but may have been made anyway: nothing was sent. It never rejects. */
export async function releaseClaim(store: IdempotencyStore, order: ClaimedOrder): Promise<void> {
  const end = { outcome: "not_created" } as const;
  try {
    await endWithRetries(store, order, end);
  } catch {
    if (releasing >= MAX_RELEASING) return; // it is listed as unresolved when its lease ends
    releasing += 1;
    await endInBackground(store, order, end).catch(() => undefined);
    releasing -= 1;
  }
}

export function storeError(
  call: Call,
  problem: string,
  error?: unknown,
  outcome: Exclude<Outcome, "not_applicable"> = "not_sent",
): IdempotencyStoreError {
  const cause = error === undefined ? undefined : sanitizeError(error, call.redactor);
  const reason = cause?.message ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const consequence = outcome === "not_sent" ? NOT_SENT_BY_THIS_CALL : undefined;
  const context = { ...call.context(outcome), cause, consequence };
  return new IdempotencyStoreError(`The idempotency store ${problem}${reason}.`, context);
}
