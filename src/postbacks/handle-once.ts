import { inTime } from "../core/in-time.ts";
import type {
  HandledPostback,
  PostbackClaim,
  PostbackKey,
  PostbackStore,
} from "../idempotency/postback-contract.ts";
import type { Postback } from "../schemas/postback.ts";
import { readStatus } from "../schemas/transaction-status.ts";
import { GIVEN_BACK_STATUSES } from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";
import { checkTransition } from "./check-transition.ts";
import type { HandlerSettings, PostbackContext } from "./handler-options.ts";

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

/** How long to wait before a record is tried again that the store refused, in milliseconds. */
const RECORD_AGAIN_AFTER_MS = [50, 200, 800] as const;

/** How often a postback that waits for another of its transaction looks again, in milliseconds. */
const TURN_AGAIN_AFTER_MS = 50;

/** A lease is renewed so often within its time, so that one late timer does not end it. */
const RENEWALS_A_LEASE = 3;

/** Runs `onPostback` for a postback that nobody has handled or is handling; never rejects. */
export async function handleOnce(postback: Postback, trust: Trust, settings: HandlerSettings): Promise<End> {
  const { onPostback, store, leaseMs } = settings;
  const owner = crypto.randomUUID();
  const { externalRef = "", id, rawStatus, amount } = postback;
  const key: PostbackKey = { trust: trust.trust, externalRef, id, rawStatus, amount };
  let claim: PostbackClaim;
  try {
    await settle(postback, trust, settings);
    claim = await claimInTurn(key, owner, settings);
  } catch (error) {
    return { type: "unclaimed", error };
  }
  if (claim.state === "done") return { type: "duplicate" };
  if (claim.state === "busy") return { type: "busy", leaseLeftMs: claim.leaseLeftMs };

  const lease = keepLease(store, key, owner, leaseMs);
  try {
    await onPostback(postback, { ...trust, ...placeOf(postback, claim.handled) });
  } catch (error) {
    lease.stop();
    // Where this fails, too, the lease ends by itself.
    await asking(leaseMs, () => store.releasePostback(key, owner)).catch(() => undefined);
    return { type: "failed", error };
  }
  const end = await record(store, key, owner, leaseMs);
  lease.stop();
  return end;
}

/** Tells the store what became of a payment. What is not signed is not believed. */
async function settle(
  { externalRef, id, status, rawStatus, amount }: Postback,
  { trust }: Trust,
  { store, leaseMs }: HandlerSettings,
): Promise<void> {
  if (trust !== "signed" || externalRef === undefined) return;
  await asking(leaseMs, async () => store.settle?.(externalRef, { id, status, rawStatus, amount }));
}

/**
 * Claims a postback. Where another status of the same transaction is being handled it waits for that one's end, so
 * that it is told of it: of two that arrive together, the older must not undo the newer.
 */
async function claimInTurn(
  key: PostbackKey,
  owner: string,
  { store, leaseMs, timeout }: HandlerSettings,
): Promise<PostbackClaim> {
  const start = performance.now();
  while (true) {
    const claim = readClaim(await asking(leaseMs, () => store.claimPostback(key, owner, leaseMs)));
    const isItsTurn = claim.state !== "busy" || claim.isSame;
    if (isItsTurn || performance.now() - start > timeout) return claim;
    await new Promise((resolve) => setTimeout(resolve, TURN_AGAIN_AFTER_MS));
  }
}

/** A store of the merchant's own may answer anything. */
function readClaim(claim: PostbackClaim | undefined): PostbackClaim {
  switch (claim?.state) {
    case "claimed":
      return { state: "claimed", handled: claim.handled ?? [] };
    case "done":
      return claim;
    case "busy":
      return { state: "busy", isSame: claim.isSame !== false, leaseLeftMs: Number(claim.leaseLeftMs) || 0 };
    default:
      throw new TypeError("The store gave no claim.");
  }
}

/** Where a postback stands among those of its transaction that were handled. */
function placeOf(
  { status, amount }: Postback,
  handled: readonly HandledPostback[],
): Pick<PostbackContext, "previousStatus" | "transition"> {
  const whole = handled.reduce((most, past) => Math.max(most, past.amount), amount);
  let previousStatus: TransactionStatus | undefined;
  for (const past of handled) {
    const next = readStatus(past.rawStatus);
    // What was given back in part is still paid for the rest.
    const isOfAPart = past.amount < whole && GIVEN_BACK_STATUSES.has(next);
    const isNews = next !== "unrecognized" && checkTransition(previousStatus, next) !== "regression";
    if (isNews && !isOfAPart) previousStatus = next;
  }
  const transition = checkTransition(previousStatus, status);
  // The same with another amount is another part, or the whole after it, or before it.
  const isAnother =
    transition === "repeat" && GIVEN_BACK_STATUSES.has(status) && isNewAmount(status, amount, handled);
  return { previousStatus, transition: isAnother ? "unclear" : transition };
}

function isNewAmount(
  status: TransactionStatus,
  amount: number,
  handled: readonly HandledPostback[],
): boolean {
  return !handled.some((past) => past.amount === amount && readStatus(past.rawStatus) === status);
}

/** Renews a lease while its process lives. */
function keepLease(store: PostbackStore, key: PostbackKey, owner: string, leaseMs: number): { stop(): void } {
  const timer = setInterval(() => {
    // The next one may succeed; if none does, the lease ends.
    asking(leaseMs, () => store.renewPostback(key, owner, leaseMs)).catch(() => undefined);
  }, leaseMs / RENEWALS_A_LEASE);
  return { stop: () => clearInterval(timer) };
}

async function record(store: PostbackStore, key: PostbackKey, owner: string, leaseMs: number): Promise<End> {
  const start = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      if (await asking(leaseMs, () => store.confirmPostback(key, owner))) return { type: "handled" };
      const error = new Error("The lease ended while onPostback ran: another delivery may have run it, too.");
      return { type: "unrecorded", error };
    } catch (error) {
      const waitMs = RECORD_AGAIN_AFTER_MS[tries];
      if (waitMs === undefined || performance.now() - start > leaseMs / 2)
        return { type: "unrecorded", error };
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** What a store says, which has as long as a lease. */
function asking<Result>(leaseMs: number, work: () => Promise<Result>): Promise<Result> {
  return inTime(
    { ms: leaseMs, late: () => new Error(`The store did not answer within ${leaseMs} ms.`) },
    work,
  );
}
