import { LEASE_AT_MOST_MS } from "../spec/limits.ts";

/**
 * Milliseconds that remain of a lease which began when its document was written. An age of minus a day or less does not
 * come from a clock that was set back a little: the clock was wrong when the document was written.
 */
export function leaseLeft(leaseMs: number, ageMs: number): number {
  return ageMs < -LEASE_AT_MOST_MS ? 0 : Math.max(0, leaseMs - ageMs);
}
