import type { PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { HandledPostback, PostbackClaim, PostbackDetails } from "../contracts/postback-store.ts";
import { readErrorFields } from "../errors/sanitize-error.ts";
import { Backoff, withTimeout } from "../http/timers.ts";
import { statusOf, wholeAmountOf } from "../idempotency/postbacks/postback-history.ts";
import { type TransactionStatus, toTransactionStatus } from "../spec/transaction-status.ts";
import { checkTransition, GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import { type ChosenCallback, chooseCallback, NONE, review } from "./choose-callback.ts";
import type { HandlerSettings, NamedCallbacks, PostbackContext } from "./handler-options.ts";
import { addHandled } from "./memory-inbox.ts";
import type { Postback } from "./parse-postback.ts";
import { type PostbackWarningEvent, reportEvent } from "./postback-events.ts";
import { callStore, PostbackLease } from "./postback-lease.ts";
import type { PostbackQueues, QueuedPostback } from "./postback-queue.ts";

/** What the URL of a postback proves. */
export interface Verification extends Pick<PostbackContext, "trust" | "amountMatches"> {
  /** Cents; missing if it is not known. */
  readonly signedAmount?: number | undefined;
}

/** A postback to handle. */
export interface PostbackTask {
  readonly postback: Postback;
  readonly verification: Verification;
  /** Not a delivery: it does not wait while another process handles the postback. */
  readonly isRetry?: boolean;
  /** How often its callback was started. If it was started since, another process retries it. */
  readonly attempts?: number | undefined;
}

type CallbackName = NonNullable<ChosenCallback["name"]>;

/** The result of one delivery, or of one retry. */
export type HandlingResult =
  | { readonly type: "handled"; readonly callback?: CallbackName | undefined }
  /** `isQueued`: `false` if the same postback is already in the queue of this process, or the queue is full. */
  | { readonly type: "duplicate" | "busy"; readonly leaseLeftMs: number; readonly isQueued?: boolean }
  /** The callback threw. `attempts`: missing if the postback is not kept for another run. */
  | {
      readonly type: "failed";
      readonly error: unknown;
      readonly callback?: CallbackName;
      readonly attempts: number | undefined;
    }
  /** The store failed before the callback ran. */
  | { readonly type: "unclaimed"; readonly error: unknown }
  /** The callback succeeded, but the store did not record it. `later` is the result once the store responds. */
  | { readonly type: "unrecorded"; readonly error: unknown; readonly later?: Promise<HandlingResult> };

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
  const { postback, verification } = task;
  const lease = new PostbackLease(settings.inbox, queued.key, toDetails(task), settings.leaseMs);
  let possibleDuplicates: readonly PossibleDuplicate[];
  let claim: PostbackClaim;
  let choice: ChosenCallback;
  try {
    // The arrival is recorded first: from then on, the postback is handled even if this process ends. The order's record
    // must be right even if the callback fails, or runs in another process.
    ({ claim, possibleDuplicates } = await queued.runSerially(settings.timeout, async () => ({
      claim: await lease.claim(),
      possibleDuplicates: await recordStatus(postback, verification, settings),
    })));
    if (claim.state === "yours" && !queued.isFirst) {
      await lease.release();
      claim = { state: "busy", isSame: false, leaseLeftMs: 0 };
    }
    if (task.isRetry !== true) claim = await claimInTurn(claim, lease, queued, settings);
    if (claim.state === "yours" && queues.isClosed) {
      await lease.release();
      claim = { state: "busy", isSame: true, leaseLeftMs: settings.leaseMs };
    }
    ({ claim, choice } = await chooseAfterClaim(claim, task, lease, settings));
  } catch (error) {
    if (lease.isHeld) void lease.release(); // the response does not wait for a store that fails
    return { type: "unclaimed", error };
  }
  queued.setRepeatState(claim.state === "done" ? "duplicate" : "busy");
  if (claim.state === "done") return { type: "duplicate", leaseLeftMs: 0 };
  if (claim.state === "busy") return { type: "busy", leaseLeftMs: claim.leaseLeftMs };
  warnAboutDuplicates(postback, possibleDuplicates, settings);
  const context = {
    trust: verification.trust,
    amountMatches: verification.amountMatches,
    ...compareWithPast(postback, claim.handled, possibleDuplicates),
    possibleDuplicates,
  };
  const result = await runCallback(postback, context, choice, claim, lease, settings);
  if (result.type !== "handled") return result;
  queued.setRepeatState("duplicate");
  const recording = await lease.record(RECORD_WAIT_MS);
  if ("isRecorded" in recording) return toResult(recording.isRecorded, result.callback);
  const later = recording.later.then((isRecorded) => toResult(isRecorded, result.callback));
  return { type: "unrecorded", error: recording.lastError, later };
}

/** What the store keeps until the callback has succeeded. Only signed postbacks of an order are kept. */
function toDetails({ postback, verification, attempts }: PostbackTask): PostbackDetails | undefined {
  if (verification.trust === "unsigned" || postback.externalRef === undefined) return undefined;
  return { transactionDate: postback.transactionDate, signedAmount: verification.signedAmount, attempts };
}

/**
 * Chooses the callback of a claimed postback.
 *
 * @throws the error of the store.
 */
async function chooseAfterClaim(
  claim: PostbackClaim,
  task: PostbackTask,
  lease: PostbackLease,
  settings: HandlerSettings,
): Promise<{ readonly claim: PostbackClaim; readonly choice: ChosenCallback }> {
  if (claim.state !== "yours") return { claim, choice: NONE };
  const choice = await choose(task, claim, settings);
  const isPaidTwice = choice.name === "onReview" && choice.reason === "paid_twice";
  if (!isPaidTwice || claim.order?.winner !== task.postback.id) return { claim, choice };
  // The other payment is in the order's record. If its postback arrived since the claim, a new claim knows that it is the
  // second one.
  await lease.release();
  const again = await lease.claim();
  return { claim: again, choice: again.state === "yours" ? await choose(task, again, settings) : NONE };
}

/** Chooses one of the named callbacks, or `onPostback`, which gets every postback. */
async function choose(
  { postback, verification }: PostbackTask,
  claim: Extract<PostbackClaim, { state: "yours" }>,
  { callbacks, store, leaseMs }: HandlerSettings,
): Promise<ChosenCallback> {
  if (callbacks.onPostback !== undefined) return { name: "onPostback" };
  const { trust, amountMatches, signedAmount } = verification;
  if (trust === "unsigned") return review("unsigned");
  const { externalRef, status } = postback;
  const hasRecord = externalRef !== undefined && store.get !== undefined && !OPEN_STATUSES.has(status);
  const record = hasRecord ? await callStore(leaseMs, async () => store.get?.(externalRef)) : undefined;
  // A postback without a reference is not recorded: then only those of its transaction are known.
  const order = claim.order ?? addHandled({ recorded: [] }, postback.id, claim.handled, signedAmount);
  // A custom store may leave out fields.
  const known = record && { ...record, possibleDuplicates: record.possibleDuplicates ?? [] };
  return chooseCallback(postback, { amountMatches, order, record: known });
}

/** No callback depends on more than these statuses themselves. */
const OPEN_STATUSES: ReadonlySet<TransactionStatus> = new Set(["pending", "processing", "unrecognized"]);

/**
 * Claims a postback again while another status of its transaction is being handled: of two postbacks that arrive together,
 * the older one must not undo the newer one.
 *
 * @throws the error of the store. No claim is left behind.
 */
async function claimInTurn(
  first: PostbackClaim,
  lease: PostbackLease,
  queued: QueuedPostback,
  { leaseMs, timeout }: HandlerSettings,
): Promise<PostbackClaim> {
  const mayEndSoon = (claim: PostbackClaim) =>
    claim.state === "busy" && (!claim.isSame || claim.isOverdue === true);
  if (!mayEndSoon(first)) return first;
  const backoff = new Backoff({ ...CLAIM_PAUSES, forMs: timeout });
  const isFirst = queued.isFirst;
  if (!(await queued.waitForTurn(timeout))) return { state: "busy", isSame: false, leaseLeftMs: leaseMs };
  if (isFirst) await backoff.pause(); // another process handles it
  while (true) {
    const claim = await lease.claim();
    if (!mayEndSoon(claim) || !(await backoff.pause())) return claim;
  }
}

/**
 * Records the proven status of a payment in the store.
 *
 * @returns the other transactions of the order.
 */
async function recordStatus(
  { externalRef, id, status, rawStatus, amount }: Postback,
  { trust }: Verification,
  { store, leaseMs }: HandlerSettings,
): Promise<readonly PossibleDuplicate[]> {
  if (trust !== "signed" || externalRef === undefined || store.recordPostback === undefined) return [];
  const update = { id, status, rawStatus, amount };
  const possibleDuplicates: unknown = await callStore(leaseMs, async () =>
    store.recordPostback?.(externalRef, update),
  );
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
  reportEvent(
    { type: "warning", reason: "possible_duplicates", message, postback, possibleDuplicates },
    onEvent,
  );
}

/** Compares a postback with the handled ones of its transaction. */
function compareWithPast(
  { status, amount }: Postback,
  handled: readonly HandledPostback[],
  possibleDuplicates: readonly PossibleDuplicate[],
): Pick<PostbackContext, "previousStatus" | "transition"> {
  const previousStatus = statusOf(handled, Math.max(amount, wholeAmountOf(handled)));
  const transition = checkTransition(previousStatus, status);
  const isNewAmount = !handled.some(
    (past) => past.amount === amount && toTransactionStatus(past.rawStatus) === status,
  );
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
  claim: Extract<PostbackClaim, { state: "yours" }>,
  lease: PostbackLease,
  { callbacks, onEvent, leaseMs, maxHandlingMs }: HandlerSettings,
): Promise<HandlingResult> {
  const { name: callback } = choice;
  if (callback === undefined && choice.isOtherReturned === true)
    reportEvent(otherReturned(postback), onEvent);
  if (callback === undefined || callbacks[callback] === undefined) return { type: "handled" };
  const reason = choice.name === "onReview" && { reason: choice.reason };
  const context = { ...facts, ...reason, signal: lease.signal };
  const slowMs = Math.min(SLOW_MS, leaseMs);
  const slowTimer = setTimeout(() => reportEvent(slowHandler(postback, callback, slowMs), onEvent), slowMs);
  const work = (async () => (callbacks[callback] as NamedCallbacks["onPaid"])(postback, context))();
  const late = () => {
    const error = new Error(`${callback} did not end within ${maxHandlingMs} ms.`);
    lease.abort(error);
    // A late success counts, unless another run of the callback began in the meantime.
    work.then(() => lease.record(RECORD_WAIT_MS)).catch(() => undefined);
    return error;
  };
  try {
    await (maxHandlingMs === undefined
      ? work
      : withTimeout({ ms: maxHandlingMs, createError: late }, () => work));
    return { type: "handled", callback };
  } catch (error) {
    const { attempts } = claim;
    await lease.release({ ...describeError(error), retryAfterMs: pauseAfter(attempts ?? 1) });
    warnIfFailingForDays(postback, callback, claim, onEvent);
    return { type: "failed", error, callback, attempts };
  } finally {
    clearTimeout(slowTimer);
  }
}

/** Pauses after the first failed runs of a callback, in milliseconds. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

const HOUR_MS = 60 * 60_000;

/** Milliseconds between a failed run and the next one. */
export function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? HOUR_MS;
}

/** The name and code of an error, if they look like ones: its message may contain personal data. */
function describeError(error: unknown): { readonly name: string; readonly code?: string } {
  const { name, code } = typeof error === "object" && error !== null ? readErrorFields(error) : {};
  const isCode = typeof code === "string" && /^[\w.-]{1,40}$/.test(code) && !/\d{6}/.test(code);
  const isName = typeof name === "string" && /^[A-Z]\w{0,59}$/i.test(name) && !/\d{6}/.test(name);
  return { name: isName ? name : "Error", ...(isCode && { code }) };
}

/** Emits a warning once for each day for which a callback has been failing. */
function warnIfFailingForDays(
  postback: Postback,
  callback: CallbackName,
  { since, failedAt = since, attempts }: Extract<PostbackClaim, { state: "yours" }>,
  onEvent: HandlerSettings["onEvent"],
): void {
  if (since === undefined || failedAt === undefined) return;
  const toDays = (time: number) => Math.floor((time - Date.parse(since)) / (24 * HOUR_MS));
  const days = toDays(Date.now());
  if (days <= toDays(Date.parse(failedAt))) return;
  const message =
    `${callback} has been failing for ${days} days for the postback of transaction ${postback.id} ` +
    `(${postback.status}), in ${attempts} runs. It runs again every hour, until it succeeds or someone closes it.`;
  reportEvent(
    { type: "warning", reason: "keeps_failing", message, postback, possibleDuplicates: [] },
    onEvent,
  );
}

function otherReturned(postback: Postback): PostbackWarningEvent {
  const message =
    `Transaction ${postback.id} was ${postback.status}, and it is not the one that paid for its order: no callback ran. ` +
    "Check that the order was not paid twice.";
  return { type: "warning", reason: "other_returned", message, postback, possibleDuplicates: [] };
}

function slowHandler(postback: Postback, callback: CallbackName, slowMs: number): PostbackWarningEvent {
  const message =
    `${callback} has been running for ${slowMs} ms. Until it ends, ` +
    "other postbacks of the transaction get a 503 response.";
  return { type: "warning", reason: "slow_handler", message, postback, possibleDuplicates: [] };
}

function toResult(isRecorded: boolean, callback: CallbackName | undefined): HandlingResult {
  if (isRecorded) return { type: "handled", callback };
  const message =
    "The lease ended while the callback was running, or a response of the store was lost: another process may also have " +
    "run it.";
  return { type: "unrecorded", error: new Error(message) };
}
