import type { AttemptEnd, ClaimedOrder, IdempotencyStore } from "../idempotency/contract.ts";

/** How long to wait before an end is recorded again that the store refused, in milliseconds. */
const AGAIN_AFTER_MS = [50, 200] as const;

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
