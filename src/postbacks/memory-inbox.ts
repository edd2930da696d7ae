import type { HandledPostback, OrderPostbacks, PostbackStore } from "../contracts/postback-store.ts";
import { memoryPostbackStore } from "../idempotency/postbacks/memory-postback-store.ts";
import { isReported, isSamePostback } from "../idempotency/postbacks/postback-history.ts";

/**
 * Adds to a custom store what it lacks to run callbacks again: the open postbacks are kept in the memory of this process.
 * The store still decides which postbacks were handled, and which process handles one.
 */
export function withMemoryInbox(store: PostbackStore): Required<PostbackStore> {
  const inbox = memoryPostbackStore();
  return {
    ...inbox,
    async claimPostback(key, owner, leaseMs, details) {
      const recorded = await inbox.claimPostback(key, owner, leaseMs, details);
      if (recorded.state !== "yours") return recorded;
      try {
        const claim = await store.claimPostback(key, owner, leaseMs);
        if (claim.state === "yours") {
          const order =
            recorded.order && addHandled(recorded.order, key.id, claim.handled, details?.signedAmount);
          return { ...recorded, handled: claim.handled, order };
        }
        if (claim.state === "done") await inbox.confirmPostback(key, owner);
        else await inbox.releasePostback(key, owner);
        return claim;
      } catch (error) {
        await inbox.releasePostback(key, owner);
        throw error;
      }
    },
    async renewPostback(key, owner, leaseMs) {
      const isRenewed = await store.renewPostback(key, owner, leaseMs);
      if (isRenewed !== false) await inbox.renewPostback(key, owner, leaseMs);
      else await inbox.releasePostback(key, owner); // the owner may claim it again
      return isRenewed;
    },
    async confirmPostback(key, owner) {
      const isConfirmed = await store.confirmPostback(key, owner);
      await inbox.confirmPostback(key, owner);
      return isConfirmed;
    },
    async releasePostback(key, owner, failure) {
      await inbox.releasePostback(key, owner, failure);
      await store.releasePostback(key, owner);
    },
  };
}

/** Adds handled postbacks of one transaction that are not recorded, for example because an earlier process handled them. */
export function addHandled(
  order: OrderPostbacks,
  id: number,
  handled: readonly HandledPostback[],
  signedAmount: number | undefined,
): OrderPostbacks {
  const earlier = (Array.isArray(handled) ? handled : [])
    .map((past) => ({ ...past, id, amountMatches: past.amount === signedAmount, isOpen: false }))
    .filter((past) => !order.recorded.some((other) => isSamePostback(other, past)));
  const winner = order.winner ?? (isReported({ id, isGivenBack: false }, earlier) ? id : undefined);
  return { winner, recorded: [...earlier, ...order.recorded] };
}
