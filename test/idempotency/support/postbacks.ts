import type { PostbackClaim, PostbackKey, PostbackStore } from "payments-sdk/idempotency";

/** Postbacks that the tests claim. */

export const LEASE = 60_000;

export const KEY = {
  trust: "signed",
  externalRef: "order-1",
  id: 81_001,
  rawStatus: "approved",
  amount: 1990,
} as const;

/** A claim that succeeds, with what was handled before. */
export const claimed = (...handled: (readonly [rawStatus: string, amount: number])[]): PostbackClaim => ({
  state: "claimed",
  handled: handled.map(([rawStatus, amount]) => ({ rawStatus, amount })),
});

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Claims a postback whose lease ends, or has ended. */
export async function takeOver(
  store: PostbackStore,
  key: PostbackKey,
  owner: string,
  leaseMs = LEASE,
): Promise<PostbackClaim> {
  while (true) {
    const claim = await store.claimPostback(key, owner, leaseMs);
    if (claim.state !== "busy") return claim;
    await pause(5);
  }
}
