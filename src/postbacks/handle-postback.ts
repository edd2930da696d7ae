import { MEMORY_WARNING, type OrderRecord, type PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type {
  HandledPostback,
  PostbackClaim,
  PostbackDetails,
  PostbackKey,
} from "../contracts/postback-store.ts";
import { withOwn } from "../data/own-properties.ts";
import { DAY_IN_MS } from "../data/time.ts";
import { readErrorFields } from "../errors/sanitize-error.ts";
import { Backoff, unref, withTimeout } from "../http/timers.ts";
import { pauseAfter } from "../idempotency/postbacks/order-inbox.ts";
import { statusOf, wholeAmountOf } from "../idempotency/postbacks/postback-history.ts";
import { toTransactionStatus } from "../spec/transaction-status.ts";
import {
  checkTransition,
  GIVEN_BACK_STATUSES,
  UNCHARGED_STATUSES,
  UNDECIDED_STATUSES,
} from "../spec/transitions.ts";
import {
  type ChosenCallback,
  chooseCallback,
  contradicts,
  findPaid,
  isUndecided,
  review,
} from "./choose-callback.ts";
import type { HandlerSettings, NamedCallbacks, PostbackContext } from "./handler-options.ts";
import { addHandled } from "./memory-inbox.ts";
import type { Postback } from "./parse-postback.ts";
import { reportWarning } from "./postback-events.ts";
import { callStore, PostbackLease } from "./postback-lease.ts";
import type { PostbackQueues, QueuedPostback } from "./postback-queue.ts";

/** What the URL of a postback proves. */
export interface Verification extends Pick<PostbackContext, "trust" | "amountMatches"> {
  /** Cents; missing if it is not known. */
  readonly signedAmount?: number | undefined;
}

export interface PostbackTask {
  readonly postback: Postback;
  readonly verification: Verification;
  /** Not a delivery: it does not wait while another process handles the postback. */
  readonly isRetry?: boolean;
  /** How often its callback was started. If it was started since, another process retries it. */
  readonly attempts?: number | undefined;
}

type GrantedClaim = Extract<PostbackClaim, { state: "yours" }>;

type CallbackName = NonNullable<ChosenCallback["name"]>;

export type HandlingResult =
  | { readonly type: "handled"; readonly callback?: CallbackName | undefined }
  /** `isQueued`: `false` if the same postback is already in the queue of this process, or the queue is full. */
  | { readonly type: "duplicate" | "busy"; readonly leaseLeftMs: number; readonly isQueued?: boolean }
  /** The callback threw, or took too long. `attempts`: missing if the postback is not kept for another run. */
  | {
      readonly type: "failed";
      readonly error: unknown;
      readonly callback?: CallbackName;
      readonly attempts: number | undefined;
      readonly retryAfterMs: number;
    }
  /** The store failed before the callback ran. */
  | { readonly type: "unclaimed"; readonly error: unknown }
  /** The callback succeeded, but the store did not record it. `later` is the result once the store responds. */
  | { readonly type: "unrecorded"; readonly error: unknown; readonly later?: Promise<HandlingResult> };

/** Milliseconds after which a postback is looked at again that arrived while its create call was in flight. */
const EARLY_MS = 5_000;

/** Milliseconds after which a handler warns that a callback is still running. */
const SLOW_MS = 30_000;

/** How long a response waits for the record of a handled postback, in milliseconds. */
const RECORD_WAIT_MS = 2_000;

/** Pauses between the claims of a postback while another process handles its transaction, in milliseconds. */
const CLAIM_PAUSES = { firstMs: 50, longestMs: 1_000 };

/** Runs the callback of a postback, unless it was handled or is being handled; never rejects. */
export async function handlePostback(
  task: PostbackTask,
  settings: HandlerSettings,
  queues: PostbackQueues,
): Promise<HandlingResult> {
  const { externalRef = "", id, rawStatus, amount } = task.postback;
  const entry = queues.enter({ trust: task.verification.trust, externalRef, id, rawStatus, amount });
  if (entry.type === "not_queued")
    return { type: await entry.state, leaseLeftMs: settings.leaseMs, isQueued: false };
  const { queued } = entry;
  const result = await handleQueued(task, queued, settings, queues);
  if (result.type === "unrecorded" && result.later !== undefined) {
    void result.later.then(() => queued.leave()); // until then, repeats of it are duplicates
  } else {
    queued.leave();
  }
  return result;
}

/** Records and claims the postback, runs its callback, and records the success. */
async function handleQueued(
  task: PostbackTask,
  queued: QueuedPostback,
  settings: HandlerSettings,
  queues: PostbackQueues,
): Promise<HandlingResult> {
  let arrival: Arrival | undefined;
  let claim: PostbackClaim;
  let choice: ChosenCallback;
  try {
    arrival = await queued.runSerially(settings.timeout, () =>
      recordArrival(task, queued.key, settings, queues),
    );
    claim = await takeTurn(arrival, task, queued, settings);
    choice = withOwn(choose(task, claim, arrival, settings), ["isTooEarly", "isOtherReturned"]);
  } catch (error) {
    if (arrival?.lease.isHeld) void arrival.lease.release(); // the response does not wait for a store that fails
    return { type: "unclaimed", error };
  }
  queued.setRepeatState(claim.state === "done" ? "duplicate" : "busy");
  if (claim.state === "done") return { type: "duplicate", leaseLeftMs: 0 };
  if (claim.state === "busy") return { type: "busy", leaseLeftMs: claim.leaseLeftMs };
  const isTooEarly = choice.name === undefined && choice.isTooEarly === true;
  if (isTooEarly || queues.isClosed) {
    await arrival.lease.release();
    return { type: "busy", leaseLeftMs: isTooEarly ? EARLY_MS : settings.leaseMs };
  }
  const { postback, verification } = task;
  const { lease, possibleDuplicates } = arrival;
  warnAboutDuplicates(postback, possibleDuplicates, settings);
  warnIfFailingForDays(postback, choice.name, claim, settings);
  const { trust, amountMatches } = verification;
  const past = compareWithPast(postback, claim.handled, possibleDuplicates);
  const context = { trust, amountMatches, ...past, possibleDuplicates };
  const result = await runCallback(postback, context, choice, claim, lease, settings, queues);
  if (result.type !== "handled") return result;
  queued.setRepeatState("duplicate");
  const recording = await lease.record(RECORD_WAIT_MS);
  if ("isRecorded" in recording) return toResult(recording.isRecorded, result.callback);
  const later = queues.track(recording.later.then((isRecorded) => toResult(isRecorded, result.callback)));
  return { type: "unrecorded", error: recording.lastError, later };
}

interface Arrival {
  readonly lease: PostbackLease;
  readonly claim: PostbackClaim;
  /** The order's record: of a refusal or expiry after it was recorded there, of other statuses before. */
  readonly record: OrderRecord | undefined;
  readonly possibleDuplicates: readonly PossibleDuplicate[];
}

/**
 * Records a postback, claims it, and updates the order's record: that must be right even if the callback fails, or runs in
 * another process.
 *
 * The order's record is read before the claim. So each payment that a postback has brought into it is among the postbacks
 * that the claim returns, and all others were paid in another way. That holds in the other direction because a store that
 * updates the record in the same step writes the claim first, or both or neither.
 *
 * That one read is enough: a store replaces the record only if it still has the version that was read here, and decides
 * anew otherwise. If that version needs no change, it is as if the postback had arrived before any later change. A refusal
 * or expiry is read again afterwards: of two transactions that end at the same time, the one that is recorded last must see
 * that the other one has ended, too.
 *
 * @throws the error of the store. No claim is left behind.
 */
async function recordArrival(
  task: PostbackTask,
  key: PostbackKey,
  settings: HandlerSettings,
  { track }: PostbackQueues,
): Promise<Arrival> {
  const { postback, isRetry } = task;
  const isEnd = UNCHARGED_STATUSES.has(postback.status);
  const isDecisive = dependsOnRecord(task, settings);
  const [before] = await Promise.allSettled([readRecord(task, settings)]);
  const isUnknown = before.status === "rejected";
  const known = isUnknown ? undefined : before.value;
  const details = toDetails(task, isDecisive && !isEnd ? known : undefined, isUnknown);
  const lease = new PostbackLease(settings, key, details, track);
  const claim = await lease.claim(known); // also if the record could not be read: the arrival must be recorded
  try {
    if (isUnknown) throw before.reason;
    const isOthers = isRetry === true && claim.state === "busy";
    let possibleDuplicates = claim.state === "yours" ? claim.possibleDuplicates : undefined;
    if (possibleDuplicates === undefined) {
      const isUpToDate = isOthers || (await isRecordUpToDate(task, claim, known, settings));
      possibleDuplicates = isUpToDate ? [] : await recordStatus(task, known, settings);
    }
    if (!isDecisive) return { lease, claim, record: undefined, possibleDuplicates };
    const record = isEnd ? await readRecord(task, settings) : known;
    return { lease, claim, record, possibleDuplicates };
  } catch (error) {
    if (lease.isHeld) void lease.release(); // the response does not wait for a store that fails
    throw error;
  }
}

/**
 * Whether the order's record needs no update. A run that has ended updated it, and a person may have corrected that since. But
 * the store may also have lost it, or got it after the postback.
 */
async function isRecordUpToDate(
  task: PostbackTask,
  claim: PostbackClaim,
  known: OrderRecord | undefined,
  settings: HandlerSettings,
): Promise<boolean> {
  const isDone = claim.state === "done";
  if (!isDone && (claim.state === "busy" || claim.hasFailed !== true)) return false;
  const record = withOwnFields(known ?? (await readRecord(task, settings)));
  if (record === undefined) return false;
  return contradicts(record, task.postback) || (isDone && !isUndecided(record, task.postback.id));
}

/** What the store keeps until the callback has succeeded. Only signed postbacks of an order are kept. */
function toDetails(
  { postback, verification, attempts }: PostbackTask,
  record: OrderRecord | undefined,
  isRecordUnknown: boolean,
): PostbackDetails | undefined {
  if (verification.trust === "unsigned" || postback.externalRef === undefined) return undefined;
  const { signedAmount } = verification;
  const details = { transactionDate: postback.transactionDate, signedAmount, attempts };
  if (isRecordUnknown) return { ...details, isRecordUnknown };
  const own = withOwnFields(record);
  if (own === undefined) return details;
  return { ...details, paid: findPaid(own), contradictsRecord: contradicts(own, postback) };
}

/**
 * Whether the order's record decides which callback runs. With `onPostback`, only a retry depends on it; with an undecided
 * status, nothing does.
 */
function dependsOnRecord({ postback, isRetry }: PostbackTask, { callbacks }: HandlerSettings): boolean {
  return !UNDECIDED_STATUSES.has(postback.status) && (callbacks.onPostback === undefined || isRetry === true);
}

/** Reads the order's record, if the postback proves its order. */
async function readRecord(task: PostbackTask, settings: HandlerSettings): Promise<OrderRecord | undefined> {
  const { postback, verification } = task;
  const { store, leaseMs } = settings;
  const { externalRef } = postback;
  if (verification.trust === "unsigned" || externalRef === undefined || store.get === undefined)
    return undefined;
  const record = await callStore(leaseMs, async () => store.get?.(externalRef));
  // A custom store may leave out fields, and have null for no record.
  if (!record) return dependsOnRecord(task, settings) ? warnAboutUnknownOrder(postback, settings) : undefined;
  const { earlierIds = [], possibleDuplicates = [] } = record;
  const known = possibleDuplicates.filter(isPossibleDuplicate);
  // The same object if it is complete: by it, the store knows the version that it has read.
  if (record.earlierIds && known.length === record.possibleDuplicates?.length) return record;
  return { ...record, earlierIds, possibleDuplicates: known };
}

const warned = new WeakSet<object>();

/** Reports once that the store lacks the order of a signed postback: the client has recorded it before it was sent. */
function warnAboutUnknownOrder(postback: Postback, { store, onEvent }: HandlerSettings): undefined {
  if (warned.has(store)) return;
  warned.add(store); // first: the getter of a custom store may throw
  const { warning } = store;
  if (warning === MEMORY_WARNING) return; // it forgets, and tests have no client
  const hint = warning ? ` This one ${warning}.` : "";
  const message = `The order of transaction ${postback.id} is not in the store: the client may have another one.${hint}`;
  reportWarning({ reason: "unknown_order", message, postback }, onEvent);
}

/** Chooses one of the named callbacks, or `onPostback`, which gets every postback; none without a claim. */
function choose(
  { postback, verification }: PostbackTask,
  claim: PostbackClaim,
  { record }: Arrival,
  { callbacks }: HandlerSettings,
): ChosenCallback {
  if (claim.state !== "yours") return { name: undefined };
  if (callbacks.onPostback !== undefined) return { name: "onPostback" };
  const { trust, amountMatches, signedAmount } = verification;
  if (trust === "unsigned") return review("unsigned");
  // A postback without a reference is not recorded: then only those of its transaction are known.
  const order = claim.order ?? addHandled({ recorded: [] }, postback.id, claim.handled, signedAmount);
  return chooseCallback(postback, { amountMatches, order, record: withOwnFields(record) });
}

/** A record without inherited values of optional fields. The store knows only the record that it returned. */
const withOwnFields = (record: OrderRecord | undefined) =>
  record && withOwn(record, ["transactionId", "transaction", "unchargedIds"]);

/**
 * Claims a postback again while another status of its transaction is being handled: of two postbacks that arrive together,
 * the older one must not undo the newer one.
 *
 * @throws the error of the store. No claim is left behind.
 */
async function takeTurn(
  { lease, claim }: Arrival,
  { isRetry }: PostbackTask,
  queued: QueuedPostback,
  { leaseMs, timeout }: HandlerSettings,
): Promise<PostbackClaim> {
  const mayEndSoon = (current: PostbackClaim) =>
    current.state === "busy" && (!current.isSame || current.isOverdue === true);
  let first = claim;
  if (claim.state === "yours" && !queued.isFirst) {
    await lease.release();
    first = { state: "busy", isSame: false, leaseLeftMs: 0 };
  }
  if (isRetry === true || !mayEndSoon(first)) return first;
  const backoff = new Backoff({ ...CLAIM_PAUSES, forMs: timeout });
  const isFirst = queued.isFirst;
  if (!(await queued.waitForTurn(timeout))) return { state: "busy", isSame: false, leaseLeftMs: leaseMs };
  if (isFirst) await backoff.pause(); // another process handles it
  while (true) {
    const next = await lease.claim();
    if (!mayEndSoon(next) || !(await backoff.pause())) return next;
  }
}

/**
 * Records the proven status of a payment in the store.
 *
 * @returns the other transactions of the order.
 */
async function recordStatus(
  { postback, verification }: PostbackTask,
  known: OrderRecord | undefined,
  { store, leaseMs }: HandlerSettings,
): Promise<readonly PossibleDuplicate[]> {
  const { externalRef, id, status, rawStatus, amount } = postback;
  if (verification.trust !== "signed" || externalRef === undefined || store.recordPostback === undefined)
    return [];
  const update = { id, status, rawStatus, amount };
  const record = async (): Promise<unknown> => store.recordPostback?.(externalRef, update, known);
  const possibleDuplicates = await callStore(leaseMs, record);
  // A custom store may return anything.
  return Array.isArray(possibleDuplicates) ? possibleDuplicates.filter(isPossibleDuplicate) : [];
}

function isPossibleDuplicate(other: PossibleDuplicate | undefined): boolean {
  return typeof other?.status === "string" && (typeof other.id === "string" || typeof other.id === "number");
}

function warnAboutDuplicates(
  postback: Postback,
  possibleDuplicates: readonly PossibleDuplicate[],
  { onEvent }: HandlerSettings,
): void {
  // No warning about a refund: the warning asks for one.
  const charging = possibleDuplicates.filter(({ status }) => !GIVEN_BACK_STATUSES.has(status));
  if (charging.length === 0 || GIVEN_BACK_STATUSES.has(postback.status)) return;
  const others = charging.map(({ id, status }) => `${id} (${status})`).join(", ");
  const message =
    `The order of transaction ${postback.id} (${postback.status}) has other transactions that may have charged the ` +
    `customer: ${others}. Check whether the customer was charged twice.`;
  reportWarning({ reason: "possible_duplicates", message, postback, possibleDuplicates }, onEvent);
}

function compareWithPast(
  { status, amount }: Postback,
  handled: readonly HandledPostback[],
  possibleDuplicates: readonly PossibleDuplicate[],
): Pick<PostbackContext, "previousStatus" | "transition"> {
  const previousStatus = statusOf(handled, Math.max(amount, wholeAmountOf(handled)));
  const transition = checkTransition(previousStatus, status);
  const sameAmount = handled.filter((past) => past.amount === amount);
  const isNewAmount = !sameAmount.some((past) => toTransactionStatus(past.rawStatus) === status);
  // The same status with a new amount is another partial refund, or a full refund before or after a partial one.
  const isOtherRefund = transition === "repeat" && GIVEN_BACK_STATUSES.has(status) && isNewAmount;
  const isPaidTwice =
    transition === "advance" &&
    status === "approved" &&
    possibleDuplicates.some((duplicate) => duplicate.status === "approved");
  return { previousStatus, transition: isOtherRefund || isPaidTwice ? "unclear" : transition };
}

/** Runs a callback while its lease is renewed; releases the lease if it fails. */
async function runCallback(
  postback: Postback,
  facts: Omit<PostbackContext, "signal">,
  choice: ChosenCallback,
  claim: GrantedClaim,
  lease: PostbackLease,
  settings: HandlerSettings,
  { leases, track }: PostbackQueues,
): Promise<HandlingResult> {
  const { callbacks, maxHandlingMs } = settings;
  const { name: callback } = choice;
  if (callback === undefined && choice.isOtherReturned === true) warnAboutReturn(postback, settings);
  if (callback === undefined || callbacks[callback] === undefined) return { type: "handled" };
  const reason = choice.name === "onReview" && { reason: choice.reason };
  const context = { ...facts, ...reason, signal: lease.signal };
  const slowTimer = startSlowTimer(postback, callback, settings);
  const work = (async () => (callbacks[callback] as NamedCallbacks["onPaid"])(postback, context))();
  let isLate = false;
  const late = () => {
    const error = new Error(`${callback} did not end within ${maxHandlingMs} ms.`);
    lease.abort(error);
    isLate = true;
    // A late success counts, unless another run of the callback began in the meantime.
    void track(work.then(() => lease.record(RECORD_WAIT_MS)).catch(() => undefined));
    return error;
  };
  leases.add(lease);
  try {
    if (maxHandlingMs === undefined) await work;
    else await withTimeout({ ms: maxHandlingMs, createError: late }, () => work);
    return { type: "handled", callback };
  } catch (error) {
    const { attempts } = claim;
    // A callback that may still succeed gets as much time again.
    const leastMs = isLate ? Number(maxHandlingMs) : 0;
    const retryAfterMs = Math.max(pauseAfter(attempts ?? 1), leastMs);
    await lease.release({ ...describeError(error), retryAfterMs });
    return { type: "failed", error, callback, attempts, retryAfterMs };
  } finally {
    clearTimeout(slowTimer);
    leases.delete(lease);
  }
}

/** The name and code of an error, if they look like ones: its message may contain personal data. */
export function describeError(error: unknown): { readonly name: string; readonly code?: string } {
  const { name, code } = typeof error === "object" && error !== null ? readErrorFields(error) : {};
  const isCode = typeof code === "string" && /^\w{1,40}$/.test(code) && hasFewDigits(code);
  const isName = typeof name === "string" && /^[A-Z][A-Za-z0-9]{0,59}$/.test(name) && hasFewDigits(name);
  return { name: isName ? name : "Error", ...(isCode && { code }) };
}

/** Those of SQLSTATE and of SMTP, not of a document or a phone. */
function hasFewDigits(text: string): boolean {
  return text.replace(/\D/g, "").length <= 5;
}

/**
 * Emits a warning with the first run of each day for which a callback has not succeeded. Before the run: it may end the
 * process.
 */
function warnIfFailingForDays(
  postback: Postback,
  callback: CallbackName | undefined,
  { since, lastStartedAt, attempts = 1 }: GrantedClaim,
  { onEvent }: HandlerSettings,
): void {
  if (callback === undefined || since === undefined || lastStartedAt === undefined) return;
  const toDays = (time: number) => Math.floor((time - Date.parse(since)) / DAY_IN_MS);
  const days = toDays(Date.now());
  if (days <= toDays(Date.parse(lastStartedAt))) return;
  const message =
    `${callback} has been failing for ${days} days for the postback of transaction ${postback.id} ` +
    `(${postback.status}), in ${attempts - 1} runs. It runs every hour, until it succeeds or someone closes the postback.`;
  reportWarning({ reason: "keeps_failing", message, postback }, onEvent);
}

function warnAboutReturn(postback: Postback, { onEvent }: HandlerSettings): void {
  const message =
    `Transaction ${postback.id} was ${postback.status}, and it is not the one that paid for its order: no callback ran. ` +
    "Check that the order was not paid twice.";
  reportWarning({ reason: "other_returned", message, postback }, onEvent);
}

function startSlowTimer(postback: Postback, callback: CallbackName, { onEvent, leaseMs }: HandlerSettings) {
  const slowMs = Math.min(SLOW_MS, leaseMs);
  const message =
    `${callback} has been running for ${slowMs} ms. Until it ends, ` +
    "other postbacks of the transaction get a 503 response.";
  return unref(
    setTimeout(() => reportWarning({ reason: "slow_handler", message, postback }, onEvent), slowMs),
  );
}

function toResult(isRecorded: boolean, callback: CallbackName | undefined): HandlingResult {
  if (isRecorded) return { type: "handled", callback };
  const message =
    "The lease ended while the callback was running, or a response of the store was lost: another process may also have " +
    "run it.";
  return { type: "unrecorded", error: new Error(message) };
}
