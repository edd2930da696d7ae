import type { PossibleDuplicate } from "../contracts/idempotency-store.ts";
import type { HandledPostback, PostbackClaim } from "../contracts/postback-store.ts";
import { Backoff, withTimeout } from "../http/timers.ts";
import { statusOf, wholeAmountOf } from "../idempotency/postbacks/postback-history.ts";
import { toTransactionStatus } from "../spec/transaction-status.ts";
import { checkTransition, GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import type { HandlerSettings, PostbackContext } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";
import { type PostbackWarningEvent, reportEvent } from "./postback-events.ts";
import { callStore, PostbackLease } from "./postback-lease.ts";
import type { PostbackQueues, QueuedPostback } from "./postback-queue.ts";

/** What the URL of a postback proves. */
export type Verification = Pick<PostbackContext, "trust" | "amountMatches">;

/** The result of one delivery. */
export type HandlingResult =
  | { readonly type: "handled" }
  | { readonly type: "duplicate" | "busy"; readonly leaseLeftMs: number }
  /** `onPostback` threw. */
  | { readonly type: "failed"; readonly error: unknown }
  /** The store failed before `onPostback` ran. */
  | { readonly type: "unclaimed"; readonly error: unknown }
  /** `onPostback` succeeded, but the store did not record it. `later` is the result once the store responds. */
  | { readonly type: "unrecorded"; readonly error: unknown; readonly later?: Promise<HandlingResult> };

/** Milliseconds after which a handler warns that `onPostback` is still running. */
const SLOW_MS = 30_000;

/** How long a response waits for the record of a handled postback, in milliseconds. */
const RECORD_WAIT_MS = 2_000;

/** Pauses between the claims of a postback while another process handles its transaction, in milliseconds. */
const CLAIM_PAUSES = { firstMs: 50, longestMs: 1_000 };

/** Runs `onPostback`, unless the postback was handled or is being handled; never rejects. */
export async function handlePostback(
  postback: Postback,
  verification: Verification,
  settings: HandlerSettings,
  queues: PostbackQueues,
): Promise<HandlingResult> {
  const { externalRef = "", id, rawStatus, amount } = postback;
  const entry = queues.enter({ trust: verification.trust, externalRef, id, rawStatus, amount });
  if (entry.type === "not_queued") return { type: await entry.state, leaseLeftMs: settings.leaseMs };
  const { queued } = entry;
  const result = await handleQueued(postback, verification, queued, settings);
  if (result.type === "unrecorded" && result.later !== undefined) {
    void result.later.then(() => queued.leave()); // until then, repeats of it are duplicates
  } else {
    queued.leave();
  }
  return result;
}

/** Claims the postback, runs `onPostback`, and records the success. */
async function handleQueued(
  postback: Postback,
  verification: Verification,
  queued: QueuedPostback,
  settings: HandlerSettings,
): Promise<HandlingResult> {
  const lease = new PostbackLease(settings.store, queued.key, settings.leaseMs);
  let possibleDuplicates: readonly PossibleDuplicate[];
  let claim: PostbackClaim;
  try {
    // Before the claim: the order's record must be right even if `onPostback` fails, or runs in another process.
    possibleDuplicates = await queued.runSerially(settings.timeout, () =>
      recordStatus(postback, verification, settings),
    );
    claim = await claimInTurn(lease, queued, settings);
  } catch (error) {
    return { type: "unclaimed", error };
  }
  queued.setRepeatState(claim.state === "done" ? "duplicate" : "busy");
  if (claim.state === "done") return { type: "duplicate", leaseLeftMs: 0 };
  if (claim.state === "busy") return { type: "busy", leaseLeftMs: claim.leaseLeftMs };
  warnAboutDuplicates(postback, possibleDuplicates, settings);
  const context = {
    ...verification,
    ...compareWithPast(postback, claim.handled, possibleDuplicates),
    possibleDuplicates,
  };
  const result = await runOnPostback(postback, context, lease, settings);
  if (result.type !== "handled") return result;
  queued.setRepeatState("duplicate");
  const recording = await lease.record(RECORD_WAIT_MS);
  if ("isRecorded" in recording) return toResult(recording.isRecorded);
  return { type: "unrecorded", error: recording.lastError, later: recording.later.then(toResult) };
}

/**
 * Claims a postback in the store. It first waits until no other status of the same transaction is being handled: of two
 * postbacks that arrive together, the older one must not undo the newer one.
 *
 * @throws the error of the store. No claim is left behind.
 */
async function claimInTurn(
  lease: PostbackLease,
  queued: QueuedPostback,
  { leaseMs, timeout }: HandlerSettings,
): Promise<PostbackClaim> {
  const backoff = new Backoff({ ...CLAIM_PAUSES, forMs: timeout });
  if (!(await queued.waitForTurn(timeout))) return { state: "busy", isSame: false, leaseLeftMs: leaseMs };
  while (true) {
    const claim = await lease.claim();
    const mayEndSoon = claim.state === "busy" && (!claim.isSame || claim.isOverdue === true);
    if (!mayEndSoon || !(await backoff.pause())) return claim;
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

/** Runs `onPostback` while its lease is renewed; releases the lease if it fails. */
async function runOnPostback(
  postback: Postback,
  context: Omit<PostbackContext, "signal">,
  lease: PostbackLease,
  { onPostback, onEvent, leaseMs, maxHandlingMs }: HandlerSettings,
): Promise<HandlingResult> {
  const controller = new AbortController();
  const slowMs = Math.min(SLOW_MS, leaseMs);
  const slowTimer = setTimeout(() => reportEvent(slowHandler(postback, slowMs), onEvent), slowMs);
  const work = (async () => onPostback(postback, { ...context, signal: controller.signal }))();
  const late = () => {
    const error = new Error(`onPostback did not end within ${maxHandlingMs} ms.`);
    controller.abort(error);
    // A late success counts, unless another delivery ran onPostback in the meantime.
    work.then(() => lease.record(RECORD_WAIT_MS)).catch(() => undefined);
    return error;
  };
  try {
    await (maxHandlingMs === undefined
      ? work
      : withTimeout({ ms: maxHandlingMs, createError: late }, () => work));
    return { type: "handled" };
  } catch (error) {
    await lease.release();
    return { type: "failed", error };
  } finally {
    clearTimeout(slowTimer);
  }
}

function slowHandler(postback: Postback, slowMs: number): PostbackWarningEvent {
  const message =
    `onPostback has been running for ${slowMs} ms. Until it ends, ` +
    "other postbacks of the transaction get a 503 response.";
  return { type: "warning", reason: "slow_handler", message, postback, possibleDuplicates: [] };
}

function toResult(isRecorded: boolean): HandlingResult {
  if (isRecorded) return { type: "handled" };
  const message =
    "The lease ended while onPostback was running, or a response of the store was lost: another delivery may also have " +
    "run onPostback.";
  return { type: "unrecorded", error: new Error(message) };
}
