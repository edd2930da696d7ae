import { MAX_LEASE_MS } from "../spec/limits.ts";

/**
 * Milliseconds left of a lease that began when its document was written. An age of minus one day or less is not
 * explained by a clock that was set back a little: the clock was wrong when the document was written, or is wrong now.
 * The lease then counts as ended, so that a person can resolve an order, and a postback is handled: handling one twice
 * charges no one. It is no proof that the lease has ended: see `isLeaseOver`.
 */
export function leaseLeft(leaseMs: number, ageMs: number): number {
  return ageMs < -MAX_LEASE_MS ? 0 : Math.max(0, leaseMs - ageMs);
}
