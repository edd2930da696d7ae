import type { AttemptEnd, ClaimedOrder, IdempotencyStore } from "payments-sdk/idempotency";
import { die, dieDuring } from "./last-words.ts";
import type { Moment } from "./plan.ts";

/**
 * The leases of a client last for half a minute and more. Here they end soon, so that the run need not wait: whoever
 * had one is dead.
 */
export const LEASE_MS = 2_000;

/** A store whose process is killed at a moment. */
export function killingStore(store: IdempotencyStore, moment: Moment): IdempotencyStore {
  return {
    async claim(order) {
      const work = () => store.claim(order, LEASE_MS);
      if (moment === "before the claim") die(moment);
      if (moment === "during the claim") return dieDuring(moment, work);
      const claim = await work();
      if (claim.state === "yours" && moment === "between claim and send") die(moment);
      return claim;
    },
    async end(order: ClaimedOrder, end: AttemptEnd) {
      const work = () => store.end(order, end);
      if (moment === "before the record") die(moment);
      return moment === "during the record" ? dieDuring(moment, work) : work();
    },
    renew: (order) => store.renew(order, LEASE_MS),
    settle: (externalRef, news) => store.settle(externalRef, news),
    unresolved: (options) => store.unresolved(options),
    resolve: (externalRef, finding) => store.resolve(externalRef, finding),
  };
}
