import { backgroundPause } from "../../http/timers.ts";
import type { AttemptEnd, ClaimedOrder, IdempotencyStore } from "../../idempotency/contract.ts";

/** How long to wait before an end is recorded again that the store refused, in milliseconds. */
const AGAIN_AFTER_MS = [50, 200] as const;

/** The same once nobody waits for it any more; the last one again and again. */
const LATER_AFTER_MS = [1_000, 2_000, 5_000] as const;

/** For how long an end is tried to be recorded, in milliseconds. Failovers take less. */
const LATER_FOR_MS = 10 * 60_000;

/** How many claims are given back in the background at a time: those of a long outage must not pile up. */
const GIVEN_BACK_AT_ONCE = 1_000;

let beingGivenBack = 0;

/** Records how an attempt ended. Recording it twice does no harm, so a store that fails is asked again. */
export async function recordEnd(
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
): Promise<readonly (number | string)[]> {
  for (const waitMs of AGAIN_AFTER_MS) {
    try {
      return await store.end(order, end);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return store.end(order, end);
}

/** Goes on trying after {@link recordEnd} failed: the store may be back soon. It keeps no process alive. */
export async function recordEndLater(
  store: IdempotencyStore,
  order: ClaimedOrder,
  end: AttemptEnd,
): Promise<readonly (number | string)[]> {
  const start = performance.now();
  for (let tries = 0; ; tries += 1) {
    await backgroundPause(LATER_AFTER_MS[tries] ?? LATER_AFTER_MS[2]);
    try {
      return await store.end(order, end);
    } catch (error) {
      if (performance.now() - start > LATER_FOR_MS) throw error;
    }
  }
}

/** Gives back a claim that failed, and may have been made all the same: nothing was sent. It never rejects. */
export async function giveBack(store: IdempotencyStore, order: ClaimedOrder): Promise<void> {
  const end = { outcome: "not_created" } as const;
  try {
    await recordEnd(store, order, end);
  } catch {
    if (beingGivenBack >= GIVEN_BACK_AT_ONCE) return; // it is listed as unresolved when its lease ends
    beingGivenBack += 1;
    await recordEndLater(store, order, end).catch(() => undefined);
    beingGivenBack -= 1;
  }
}
