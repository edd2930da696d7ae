import { setTimeout } from "node:timers/promises";
import type { Claim, ClaimedOrder, IdempotencyStore } from "payments-sdk/idempotency";
import type { Gateway } from "payments-sdk/sandbox";
import { LEASE_MS } from "./killing-store.ts";
import type { Order } from "./plan.ts";

/** What a merchant can find out of each order, and what of it is wrong. */
export interface Standings {
  readonly created: number;
  readonly free: number;
  readonly unresolved: number;
  readonly wrong: readonly string[];
}

/** Asks the store for every order, as a process would that wants to send it, and compares with the gateway. */
export async function standingsOf(
  orders: readonly Order[],
  store: IdempotencyStore,
  gateway: Gateway,
): Promise<Standings> {
  const states = new Map<string, Claim["state"]>();
  const wrong: string[] = [];
  for (const order of orders) {
    const claim = await outcomeOf(order, store);
    states.set(order.externalRef, claim.state);
    const complaint = complaintAbout(order, claim, gateway);
    if (complaint !== undefined) wrong.push(`${order.externalRef} is ${claim.state}, but ${complaint}`);
  }
  const listed = new Set<string>();
  for await (const { externalRef } of store.unresolved()) listed.add(externalRef);
  for (const [externalRef, state] of states) {
    const isListed = listed.has(externalRef);
    if (isListed !== (state === "unresolved"))
      wrong.push(`${externalRef} is ${state}, and listed: ${isListed}`);
  }
  const count = (state: Claim["state"]) => [...states.values()].filter((known) => known === state).length;
  return { created: count("created"), free: count("yours"), unresolved: count("unresolved"), wrong };
}

/** Waits for the lease of whoever died. What is free stays free. */
async function outcomeOf({ externalRef, amount, card }: Order, store: IdempotencyStore): Promise<Claim> {
  const order: ClaimedOrder = {
    externalRef,
    amount,
    paymentMethod: card === undefined ? "pix" : "credit_card",
    installments: card === undefined ? undefined : "1",
    owner: crypto.randomUUID(),
  };
  const claim = await store.claim(order, LEASE_MS);
  if (claim.state === "yours") await store.end(order, { outcome: "not_created" });
  if (claim.state !== "claimed") return claim;
  if (claim.leaseLeftMs > LEASE_MS) return claim; // nobody asked for so long a lease
  await setTimeout(claim.leaseLeftMs + 1);
  return store.claim(order, LEASE_MS);
}

function complaintAbout({ externalRef }: Order, claim: Claim, gateway: Gateway): string | undefined {
  const charges = gateway.chargesFor(externalRef);
  switch (claim.state) {
    case "yours":
      return charges.length === 0 ? undefined : `the gateway has ${charges.length} charges of it`;
    case "created":
      return charges.some(({ id }) => id === claim.transactionId)
        ? undefined
        : `transaction ${claim.transactionId} is no charge of it`;
    case "unresolved":
      return undefined;
    default:
      return "all its processes are dead, and their leases have ended";
  }
}

/** The references of which two transactions charged, or could have charged, at the same time. */
export function chargedTwice(orders: readonly Order[], { transactions }: Gateway): readonly string[] {
  return orders
    .map(({ externalRef }) => externalRef)
    .filter((reference) => {
      const ofOrder = transactions.filter(({ externalId }) => externalId === reference);
      return ofOrder.some((transaction, index) => {
        const next = ofOrder[index + 1];
        return next !== undefined && !hadEnded(transaction, next.createdAt);
      });
    });
}

const DEAD = ["refused", "expired", "cancelled"];

function hadEnded({ timeline }: Gateway["transactions"][number], at: string): boolean {
  const end = timeline.find(({ status }) => DEAD.includes(status));
  return end !== undefined && end.at <= at;
}
