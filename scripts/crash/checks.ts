import { setTimeout } from "node:timers/promises";
import type { Claim, IdempotencyStore } from "payments-sdk/idempotency";
import type { Gateway } from "payments-sdk/sandbox";
import { LEASE_MS, type Order } from "./plan.ts";

/** The states of the orders as a merchant sees them. */
export interface OrderStates {
  readonly unresolved: number;
  /** States that the gateway contradicts. */
  readonly wrong: readonly string[];
}

/** Claims every order, like a process that wants to send it, and compares the result with the gateway. */
export async function readOrderStates(
  orders: readonly Order[],
  store: IdempotencyStore,
  gateway: Gateway,
): Promise<OrderStates> {
  const claims: (readonly [string, Claim])[] = [];
  for (const order of orders) claims.push([order.externalRef, await claimUnlessFree(order, store)]);
  const listed = new Set<string>();
  for await (const { externalRef } of store.unresolved()) listed.add(externalRef);
  const wrong = claims
    .filter(
      ([externalRef, claim]) =>
        !isConsistent(claim, gateway.chargesFor(externalRef), listed.has(externalRef)),
    )
    .map(
      ([externalRef, claim]) =>
        `${externalRef} is ${JSON.stringify(claim)}; listed: ${listed.has(externalRef)}`,
    );
  return { unresolved: listed.size, wrong };
}

/** Claims an order after the lease of a killed process has ended. A free order stays free. */
async function claimUnlessFree({ externalRef, amount }: Order, store: IdempotencyStore): Promise<Claim> {
  const order = { externalRef, amount, paymentMethod: "pix", owner: crypto.randomUUID() } as const;
  const claim = await store.claim(order, LEASE_MS);
  if (claim.state === "yours") await store.recordOutcome(order, { outcome: "not_created" });
  if (claim.state !== "claimed" || claim.leaseLeftMs > LEASE_MS) return claim;
  await setTimeout(claim.leaseLeftMs + 1);
  return store.claim(order, LEASE_MS);
}

/** Whether the claim matches the gateway; all processes were killed, and their leases have ended. */
function isConsistent(claim: Claim, charges: readonly { id: unknown }[], isListed: boolean): boolean {
  if (claim.state === "unresolved") return isListed;
  if (isListed) return false;
  if (claim.state === "yours") return charges.length === 0;
  return claim.state === "created" && charges.some(({ id }) => id === claim.transactionId);
}
