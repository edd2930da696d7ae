import type { PostbackClaim } from "payments-sdk/idempotency";

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
