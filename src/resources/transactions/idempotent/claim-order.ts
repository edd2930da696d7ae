import {
  type AttemptOutcome,
  type Claim,
  type ClaimedOrder,
  type IdempotencyStore,
  MEMORY_WARNING,
  type StoredTransaction,
} from "../../../contracts/idempotency-store.ts";
import type { Transaction } from "../../../contracts/transaction.ts";
import { isRecord, ownProperty, withoutPrototype } from "../../../data/own-properties.ts";
import { toTime } from "../../../data/time.ts";
import { createUniqueId } from "../../../data/unique-id.ts";
import { IdempotencyConflictError, OutcomePendingError } from "../../../errors/idempotency-errors.ts";
import type { Call } from "../../../http/call.ts";
import { attachRawBody, type WithResponse } from "../../../http/result.ts";
import {
  Backoff,
  type BackoffOptions,
  CLOCK_TOLERANCE_MS,
  createDeadline,
  type Deadline,
  unref,
  withTimeout,
} from "../../../http/timers.ts";
import { isTransactionStatus } from "../../../spec/transaction-status.ts";
import { UNDECIDED_STATUSES } from "../../../spec/transitions.ts";
import type { TransactionRequest } from "../create-request.ts";
import { isOtherOrder } from "../parse-response.ts";
import {
  CREATED_STATUS,
  createdError,
  leaseTooShort,
  NOT_SENT_BY_THIS_CALL,
  storeError,
} from "./store-errors.ts";

/** Milliseconds by which the lease on an order is longer than the timeout of its request. */
const CREATE_LEASE_MARGIN_MS = 30_000;

/** How often a call shows that its process still runs, in milliseconds. A quick call never does. */
const HEARTBEAT_MS = 10_000;

const leaseOf = ({ options }: Call) => Math.ceil(options.timeout) + CREATE_LEASE_MARGIN_MS;

/** An order that this call has claimed. */
export interface OwnClaim {
  readonly state: "yours";
  readonly store: IdempotencyStore;
  readonly order: ClaimedOrder;
  /** Until when the request may be sent: well before the lease ends. */
  readonly sendBefore: Deadline;
}

type StoredClaim = Pick<OwnClaim, "store" | "order">;
type CreatedClaim = Extract<Claim, { state: "created" }>;

/**
 * Claims the reference of a request, durably. Nothing is sent if it throws.
 *
 * @returns the claim of this call, or the transaction that an earlier call created.
 */
export async function claimOrder(
  call: Call,
  store: IdempotencyStore,
  request: TransactionRequest,
): Promise<OwnClaim | CreatedClaim> {
  const { wait = 0, signal } = call.options;
  const { externalRef = "", amount, paymentMethod } = request; // with a store, the reference is required
  const installments = request.paymentMethod === "credit_card" ? { installments: request.installments } : {};
  const order = { externalRef, amount, paymentMethod, owner: createUniqueId(), ...installments };
  const backoff = new Backoff({ firstMs: 50, longestMs: 1_000, forMs: wait, signal });
  do {
    // Set before the claim, because the lease begins before the store responds.
    const sendBefore = createDeadline(CREATE_LEASE_MARGIN_MS);
    const claim = await requestClaim(call, store, order);
    if (claim.state === "yours") return { state: "yours", store, order, sendBefore };
    if (claim.state === "created") return claim;
    if (claim.state === "conflict") {
      throw new IdempotencyConflictError(call.context("not_sent"), claim.earlier);
    }
    if (claim.state === "unresolved") throw new OutcomePendingError(call.context("unknown"), "unresolved");
  } while (await backoff.pause()); // if the signal aborts, the next claim throws
  throw new OutcomePendingError(call.context("unknown"), "claimed");
}

async function requestClaim(call: Call, store: IdempotencyStore, order: ClaimedOrder): Promise<Claim> {
  const { timeout: ms, signal } = call.options;
  const replaceLost = call.options.replaceLost && order.paymentMethod === "pix";
  const leaseMs = leaseOf(call);
  call.throwIfAborted(NOT_SENT_BY_THIS_CALL);
  let claiming: Promise<unknown> | undefined;
  let received: unknown;
  try {
    received = await withTimeout({ ms, createError: () => noResponse(ms), signal }, (claimSignal) => {
      claimSignal.throwIfAborted();
      const options = { signal: claimSignal, replaceLost, heartbeatMs: HEARTBEAT_MS };
      // Even a store that throws synchronously may have claimed the order.
      claiming = (async () => store.claim(order, leaseMs, options))();
      return claiming;
    });
  } catch (error) {
    // The claim may have been made, or may still be made. Nothing was sent, so it can be released.
    const released = claiming?.then(
      () => releaseClaim(call, { store, order }),
      () => releaseClaim(call, { store, order }, createDeadline(leaseMs)),
    );
    if (released !== undefined) runInBackground(call, released);
    call.throwIfAborted(NOT_SENT_BY_THIS_CALL);
    throw storeError(call, "could not claim the externalRef", await withStoreReason(error, claiming));
  } finally {
    warnAboutStore(call, store);
  }
  if (!isUsable(received, order.externalRef)) throw storeError(call, "returned a claim that cannot be used");
  return received;
}

/** Whether a claim of a custom store says what to do, and has no transaction of another order. */
function isUsable(received: unknown, externalRef: string): received is Claim {
  if (!isRecord(received)) return false;
  const { state, transactionId: id, transaction } = withoutPrototype(received);
  if (state !== "created") return OTHER_STATES.has(state);
  const isOther = isRecord(transaction) && isOtherOrder(ownProperty(transaction, "externalId"), externalRef);
  return !isOther && (typeof id === "string" ? id !== "" : Number.isSafeInteger(id));
}

const OTHER_STATES: ReadonlySet<unknown> = new Set(["yours", "claimed", "unresolved", "conflict"]);

/** Makes sure that the lease outlasts the call. Returns the claim with the time until which the request may be sent. */
export async function renewIfSlow(call: Call, claim: OwnClaim): Promise<OwnClaim> {
  const { store, order } = claim;
  if (claim.sendBefore.elapsedMs <= CREATE_LEASE_MARGIN_MS / 2) return claim;
  const { timeout: ms, signal } = call.options;
  const sendBefore = createDeadline(CREATE_LEASE_MARGIN_MS);
  const renewal = withTimeout({ ms, signal }, async () => store.renew(order, leaseOf(call)));
  const isRenewed = await renewal.catch(() => false);
  call.throwIfAborted(NOT_SENT_BY_THIS_CALL);
  if (!isRenewed) throw leaseTooShort(call);
  return { ...claim, sendBefore };
}

/**
 * Renews what is left of the lease until it is cleared, so that a crash of this process shows sooner than by the end of the
 * lease. Failures do not matter: nothing depends on it but what a list shows.
 */
export function startHeartbeat(call: Call, { store, order, sendBefore }: OwnClaim) {
  const { monotonicMs } = sendBefore; // the wall clock may jump, and would end the lease
  const endsAt = performance.now() - monotonicMs + leaseOf(call);
  let isRenewing = false;
  const beat = async () => {
    const leftMs = Math.floor(endsAt - performance.now());
    if (isRenewing || leftMs <= 0) return;
    isRenewing = true;
    await (async () => store.renew(order, leftMs))().catch(() => undefined);
    isRenewing = false;
  };
  return unref(setInterval(beat, HEARTBEAT_MS));
}

/** Does work that outlasts its call. */
export function runInBackground({ config }: Call, work: Promise<unknown>): void {
  config.calls?.addBackground(work);
  work.catch(() => undefined); // the order is listed as unresolved when its lease ends
}

export function noResponse(ms: number): Error {
  return new Error(`It did not respond within ${ms} ms.`);
}

/** A store that stops when its signal aborts may await this many promises first. A timer would hang if a test fakes timers. */
const STOPPING_AWAITS = 50;

/** Adds the reason that a store has when its signal aborts, such as that its file is locked. */
async function withStoreReason(failure: unknown, claiming: Promise<unknown> | undefined): Promise<unknown> {
  let reason = failure;
  claiming?.catch((error: unknown) => {
    reason = error;
  });
  for (let awaits = 0; reason === failure && awaits < STOPPING_AWAITS; awaits += 1) await undefined;
  if (reason === failure || !(reason instanceof Error) || !(failure instanceof Error)) return failure;
  return new Error(`${failure.message.replace(/\.$/, "")}: ${reason.message}`, { cause: reason });
}

/** How a store that fails is called again while the process waits. */
export const WHILE_WAITING = { firstMs: 50, longestMs: 200, forMs: 250 } as const;

/** How it is called again after that. A failover takes less than ten minutes. */
const IN_BACKGROUND = { firstMs: 1_000, longestMs: 5_000, forMs: 10 * 60_000, keepsAlive: false };

/** The same, with a last try when the client is closed. */
export const inBackground = ({ config }: Call) => ({ ...IN_BACKGROUND, signal: config.calls?.lastTry });

/** Records how an attempt ended. Recording it twice is harmless, so a store that fails is called again. */
export async function recordWithRetries(
  { store, order }: StoredClaim,
  outcome: AttemptOutcome,
  options: BackoffOptions,
): Promise<unknown> {
  const backoff = new Backoff(options);
  for (;;) {
    const isLast = options.signal?.aborted === true;
    try {
      return await store.recordOutcome(order, outcome);
    } catch (error) {
      if (isLast || !(await backoff.pause())) throw error;
    }
  }
}

const NOT_CREATED = { outcome: "not_created" } as const;

/** Maximum number of claims that are released in the background at a time: an outage must not fill the memory. */
const MAX_RELEASING = 1_000;

let releasing = 0;

/**
 * Releases a claim that failed, but may have been made anyway: nothing was sent. The release of a claim that does not exist,
 * or that another call made, changes nothing.
 *
 * @param mayAppearUntil - A database may commit a statement long after its client has given up.
 * @throws if it could not be released: it is listed as unresolved when its lease ends.
 */
async function releaseClaim(call: Call, claim: StoredClaim, mayAppearUntil?: Deadline): Promise<void> {
  try {
    // At once, because the process may end soon.
    await recordWithRetries(claim, NOT_CREATED, WHILE_WAITING);
  } catch (error) {
    if (releasing >= MAX_RELEASING) throw error;
    releasing += 1;
    await recordWithRetries(claim, NOT_CREATED, inBackground(call)).finally(() => {
      releasing -= 1;
    });
  }
  if (mayAppearUntil === undefined || releasing >= MAX_RELEASING) return;
  call.config.calls?.addBackground(repeatRelease(call, claim, mayAppearUntil), "repeats");
}

/** Releases a claim again and again, until the store can no longer make it; never rejects. */
async function repeatRelease(call: Call, { store, order }: StoredClaim, until: Deadline): Promise<void> {
  const options = inBackground(call);
  const backoff = new Backoff(options);
  releasing += 1;
  while (!until.isOver && (await backoff.pause())) {
    const isLast = options.signal?.aborted === true;
    await (async () => store.recordOutcome(order, NOT_CREATED))().catch(() => undefined); // it is released already
    if (isLast) break;
  }
  releasing -= 1;
}

const warned = new WeakSet<object>();

/** Represents all stores in memory: tests create hundreds of them, and one warning per process is enough. */
const MEMORY_STORES = {};

/** Reports the risk of a store, once for each store. Some stores have a warning only some time after the claim. */
export function warnAboutStore(call: Call, store: IdempotencyStore): void {
  let warning: string | undefined;
  try {
    warning = store.warning;
  } catch {
    return; // a custom store
  }
  const key = warning === MEMORY_WARNING ? MEMORY_STORES : store;
  if (warning === undefined || warned.has(key)) return;
  warned.add(key);
  if (call.config.onEvent !== undefined) call.warn("idempotency", warning);
  // biome-ignore lint/suspicious/noConsole: without a listener, nothing else reports that payments are not protected
  else console.warn(`payments-sdk: the idempotency store ${warning}.`);
}

/**
 * The result of a create call whose request was sent by an earlier call.
 *
 * @throws {UnexpectedResponseError} `created`, if the response was lost and too little is known about the transaction.
 */
export function replay(call: Call, { transactionId, transaction: stored }: CreatedClaim) {
  const transaction = fromStored(stored);
  const isPix = transaction?.paymentMethod === "pix";
  // A pix that was paid, or can no longer be paid, needs no code.
  const isLost = isPix && UNDECIDED_STATUSES.has(transaction.status) && transaction.pix.qrcodeText === "";
  if (transaction === undefined || isLost) {
    const field = transaction === undefined ? "data" : "data.pix.qrcodeText";
    const problem = `The response that created transaction ${transactionId} was lost, including ${field}.`;
    // With any other status, someone may be paying it.
    const consequence = transaction?.status === "pending" ? PIX_WITHOUT_CODE : undefined;
    const details = { transactionId, transaction, consequence };
    throw createdError(call, problem, { field, message: "was never received" }, details);
  }
  const expiresAt = isPix ? toTime(transaction.pix.expirationDate ?? "") : Number.NaN;
  if (transaction.status === "pending" && expiresAt + CLOCK_TOLERANCE_MS < Date.now()) {
    call.warn("pix.expirationDate", EXPIRED_UNREPORTED);
  }
  const { status } = transaction;
  call.emit({ type: "result", ...call.facts, transactionId, status, replayed: true });
  const meta = { status: CREATED_STATUS, headers: new Headers(), requestId: undefined };
  const response = { ...meta, durationMs: call.elapsedMs, replayed: true };
  return { data: transaction, response } satisfies WithResponse<Transaction>;
}

const PIX_WITHOUT_CODE =
  "The transaction exists, but most likely no one can pay it without its code: createPix with { replaceLost: true } creates a new one.";

const EXPIRED_UNREPORTED =
  'has passed, but no postback reported it: resolve(externalRef, { transactionId, status: "expired" }) frees the reference';

/** A custom store may return anything. If it is not a transaction, the transaction exists, but its details are lost. */
function fromStored(stored: StoredTransaction | undefined): Transaction | undefined {
  if (!isRecord(stored)) return undefined;
  const { pix = { qrcodeText: "" }, ...fields } = withoutPrototype(stored);
  const { id, amount, status, paymentMethod } = fields;
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(amount)) return undefined;
  if (!isTransactionStatus(status)) return undefined;
  const common = { ...fields, customer: { document: {} } };
  const transaction = paymentMethod === "pix" ? { ...common, pix } : common;
  // It was a transaction when it was stored. A refused one, which needs its reason, is never stored.
  return attachRawBody(transaction, undefined) as Transaction;
}
