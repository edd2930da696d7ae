import { isRecord } from "../data/own.ts";
import { withTimeout } from "../http/timers.ts";
import type { RivalTransaction } from "../idempotency/contract.ts";
import type { HandledPostback, PostbackClaim, PostbackKey } from "../idempotency/postback-contract.ts";
import { statusOf, wholeAmountOf } from "../idempotency/postback-history.ts";
import { POSTBACK_SLOW_MS } from "../spec/limits.ts";
import { checkTransition, GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";
import { readStatus } from "../spec/values.ts";
import { askStore, ClaimedPostback } from "./claimed-postback.ts";
import { tellOf } from "./handler-events.ts";
import type { HandlerSettings, PostbackContext } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";
import type { Turn, Turns } from "./turns.ts";

/** What a postback proves of its origin. */
export type Trust = Pick<PostbackContext, "trust" | "amountMatches">;

/** How the handling of one delivery ended. */
export type End =
  | { readonly type: "handled" }
  | { readonly type: "duplicate" }
  | { readonly type: "busy"; readonly leaseLeftMs: number }
  /** `onPostback` threw. */
  | { readonly type: "failed"; readonly error: unknown }
  /** The store threw before anything ran. */
  | { readonly type: "unclaimed"; readonly error: unknown }
  /** `onPostback` succeeded, and the store has no record of it. */
  | { readonly type: "unrecorded"; readonly error: unknown };

/** How long an answer waits for the record of a postback that was handled, in milliseconds. */
const RECORD_WITHIN_MS = 2_000;

/** How often a postback looks again whose transaction another process is handling, in milliseconds. */
const LOOK_AGAIN_AFTER_MS = { first: 50, most: 1_000 } as const;

/** Runs `onPostback` for a postback that nobody has handled or is handling; never rejects. */
export async function handleOnce(
  postback: Postback,
  trust: Trust,
  settings: HandlerSettings,
  turns: Turns,
): Promise<End> {
  const { store, leaseMs } = settings;
  const { externalRef = "", id, rawStatus, amount } = postback;
  const key: PostbackKey = { trust: trust.trust, externalRef, id, rawStatus, amount };
  const turn = turns.enter(key);
  if (turn instanceof Promise) {
    return (await turn) === "duplicate" ? { type: "duplicate" } : { type: "busy", leaseLeftMs: leaseMs };
  }

  const owner = crypto.randomUUID();
  let rivals: readonly RivalTransaction[];
  let claim: PostbackClaim;
  try {
    rivals = await turn.oneByOne(settings.timeout, () => settle(postback, trust, settings));
    claim = await claimInTurn(key, owner, turn, settings);
  } catch (error) {
    turn.leave();
    return { type: "unclaimed", error };
  }
  turn.decide(claim.state === "done" ? "duplicate" : "busy");
  if (claim.state !== "claimed") {
    turn.leave();
    return claim.state === "done" ? { type: "duplicate" } : { type: "busy", leaseLeftMs: claim.leaseLeftMs };
  }
  const claimed = new ClaimedPostback(store, key, owner, leaseMs);
  warnOfRivals(postback, rivals, settings);
  const { handled } = claim;
  const contextOf = () => ({ ...trust, ...placeOf(postback, handled, rivals), rivals });
  const end = await run(postback, contextOf, claimed, settings);
  if (end.type !== "handled") {
    turn.leave();
    return end;
  }
  turn.decide("duplicate");
  return recordSoon(postback, claimed, turn, settings);
}

/** Records in the store what became of a payment, if it is proven. */
async function settle(
  { externalRef, id, status, rawStatus, amount }: Postback,
  { trust }: Trust,
  { store, leaseMs }: HandlerSettings,
): Promise<readonly RivalTransaction[]> {
  if (trust !== "signed" || externalRef === undefined) return [];
  const rivals: unknown = await askStore(leaseMs, async () =>
    store.settle?.(externalRef, { id, status, rawStatus, amount }),
  );
  // A store of the merchant's own may return anything.
  return Array.isArray(rivals) ? rivals.filter(isRivalTransaction) : [];
}

function isRivalTransaction(value: unknown): value is RivalTransaction {
  if (!isRecord(value)) return false;
  const { id, status } = value;
  return (typeof id === "number" || typeof id === "string") && typeof status === "string";
}

function isHandledPostback(value: unknown): value is HandledPostback {
  return isRecord(value) && typeof value["rawStatus"] === "string" && typeof value["amount"] === "number";
}

/**
 * Claims a postback. If another status of the same transaction is being handled, it waits for that one's end: of two that
 * arrive together, the older must not undo the newer.
 */
async function claimInTurn(
  key: PostbackKey,
  owner: string,
  turn: Turn,
  { store, leaseMs, timeout }: HandlerSettings,
): Promise<PostbackClaim> {
  const start = performance.now();
  if (!(await turn.comes(timeout))) return { state: "busy", isSame: false, leaseLeftMs: leaseMs };
  let pauseMs: number = LOOK_AGAIN_AFTER_MS.first;
  while (true) {
    const claim = readClaim(await ClaimedPostback.claim(store, key, owner, leaseMs));
    const mayEndSoon = claim.state === "busy" && (!claim.isSame || claim.isOverdue === true);
    const leftMs = timeout - (performance.now() - start);
    if (!mayEndSoon || leftMs <= 0) return claim;
    const waitMs = Math.min(pauseMs * (0.5 + Math.random() / 2), leftMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_AFTER_MS.most);
  }
}

/** A store of the merchant's own may answer anything. */
function readClaim(claim: PostbackClaim | undefined): PostbackClaim {
  switch (claim?.state) {
    case "claimed":
      return {
        state: "claimed",
        handled: Array.isArray(claim.handled) ? claim.handled.filter(isHandledPostback) : [],
      };
    case "done":
      return claim;
    case "busy":
      return { ...claim, isSame: claim.isSame !== false, leaseLeftMs: Number(claim.leaseLeftMs) || 0 };
    default:
      throw new TypeError("The store gave no claim.");
  }
}

/** Where a postback stands among those of its transaction that were handled. */
function placeOf(
  { status, amount }: Postback,
  handled: readonly HandledPostback[],
  rivals: readonly RivalTransaction[],
): Pick<PostbackContext, "previousStatus" | "transition"> {
  const wholeAmount = Math.max(amount, wholeAmountOf(handled));
  const previousStatus = statusOf(handled, wholeAmount);
  const transition = checkTransition(previousStatus, status);
  // The same with another amount is another part, or the whole after it, or before it.
  const isAnother =
    transition === "repeat" && GIVEN_BACK_STATUSES.has(status) && isNewAmount(status, amount, handled);
  const isPaidTwice = status === "approved" && rivals.some((rival) => rival.status === "approved");
  return {
    previousStatus,
    transition: isAnother || (isPaidTwice && transition === "advance") ? "unclear" : transition,
  };
}

function isNewAmount(
  status: TransactionStatus,
  amount: number,
  handled: readonly HandledPostback[],
): boolean {
  return !handled.some((past) => past.amount === amount && readStatus(past.rawStatus) === status);
}

function warnOfRivals(
  postback: Postback,
  rivals: readonly RivalTransaction[],
  { onEvent }: HandlerSettings,
): void {
  // Money that is given back is what the warning asks for.
  const charging = rivals.filter(({ status }) => !GIVEN_BACK_STATUSES.has(status));
  if (charging.length === 0 || GIVEN_BACK_STATUSES.has(postback.status)) return;
  const others = charging.map(({ id, status }) => `${id} (${status})`).join(", ");
  const message =
    `Transaction ${postback.id} (${postback.status}) is not the only one of its order that may charge the customer: ` +
    `there is ${others}, too. Check whether the customer was charged twice.`;
  tellOf({ type: "warning", reason: "other_transactions", message, postback, rivals }, onEvent);
}

/** Runs `onPostback` while its claim is renewed. */
async function run(
  postback: Postback,
  contextOf: () => Omit<PostbackContext, "signal">,
  claimed: ClaimedPostback,
  { onPostback, onEvent, leaseMs, maxHandlingMs }: HandlerSettings,
): Promise<End> {
  const stopping = new AbortController();
  const slowMs = Math.min(POSTBACK_SLOW_MS, leaseMs);
  const slow = setTimeout(() => {
    const message = `onPostback has been running for ${slowMs} ms. Until it ends, postbacks of its transaction get a 503.`;
    tellOf({ type: "warning", reason: "slow_handler", message, postback, rivals: [] }, onEvent);
  }, slowMs);
  const work = (async () => onPostback(postback, { ...contextOf(), signal: stopping.signal }))();
  const late = () => {
    const error = new Error(`onPostback did not end within ${maxHandlingMs} ms.`);
    stopping.abort(error);
    // It happened after all, unless another delivery ran it meanwhile.
    work.then(() => claimed.record()).catch(() => undefined);
    return error;
  };
  try {
    await (maxHandlingMs === undefined ? work : withTimeout({ ms: maxHandlingMs, late }, () => work));
    return { type: "handled" };
  } catch (error) {
    await claimed.release();
    return { type: "failed", error };
  } finally {
    clearTimeout(slow);
  }
}

/** Records that a postback was handled. If the store is away, the answer does not wait for that. */
async function recordSoon(
  postback: Postback,
  claimed: ClaimedPostback,
  turn: Turn,
  { onEvent }: HandlerSettings,
): Promise<End> {
  let isLate = false;
  const recording = (async (): Promise<End> => {
    const isRecorded = await claimed.record();
    turn.leave();
    return isRecorded ? { type: "handled" } : { type: "unrecorded", error: new Error(LOST) };
  })();
  const late = () => {
    isLate = true;
    return new Error();
  };
  try {
    return await withTimeout({ ms: RECORD_WITHIN_MS, late }, () => recording);
  } catch (error) {
    if (!isLate) throw error;
    void recording.then((end) => {
      if (end.type === "handled") tellOf({ type: "handled", status: 200, postback }, onEvent);
      if (end.type === "unrecorded")
        tellOf({ type: "store_failed", status: 200, postback, error: end.error }, onEvent);
    });
    return { type: "unrecorded", error: claimed.lastError };
  }
}

const LOST =
  "The lease ended while onPostback ran, or an answer of the store was lost: another delivery may have run it, too.";
