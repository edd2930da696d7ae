import { setTimeout } from "node:timers/promises";
import type { Claim, IdempotencyStore, PaymentsStore } from "payments-sdk/idempotency";
import type { Gateway } from "payments-sdk/sandbox";
import { type Attempt, LEASE_MS, type Order } from "./plan.ts";

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

/** The id whose code the buyer sees, by reference. */
export type Seen = ReadonlyMap<string, string | undefined>;

/** Transactions of an order: those that were paid, and the others. */
const idsOf = (gateway: Gateway, externalRef: string, isPaid: boolean) =>
  gateway.transactions
    .filter((one) => one.externalId === externalRef && (one.status === "approved") === isPaid)
    .map(({ id }) => id);

/**
 * Three processes create every order again at the same time. All of them must get the same code, and the service at most
 * one new transaction.
 *
 * @param create - Runs a process, which returns the id of the transaction whose code it got.
 */
export async function replaceLostPix(
  orders: readonly Order[],
  create: (order: Order, attempt: Attempt) => Promise<{ readonly id: string | undefined }>,
  gateway: Gateway,
): Promise<{ readonly seen: Seen; readonly wrong: readonly string[] }> {
  const seen = new Map<string, string | undefined>();
  const wrong: string[] = [];
  for (const order of orders) {
    const { externalRef } = order;
    const before = gateway.chargesFor(externalRef).length;
    const processes = [1, 2, 3].map((nth) =>
      create(order, {
        name: `${externalRef}/again-${nth}`,
        moment: "at its end",
        drop: undefined,
        isAccepted: true,
      }),
    );
    const [first, ...others] = (await Promise.all(processes)).map(({ id }) => id);
    const added = gateway.chargesFor(externalRef).length - before;
    if (first === undefined || others.some((id) => id !== first) || added > 1) {
      wrong.push(`${externalRef}: processes got ${[first, ...others]}, with ${added} new transactions`);
    }
    seen.set(externalRef, first);
  }
  return { seen, wrong };
}

/** The buyer pays the code on the screen, or every code; the others expire. */
export function payPix({ externalRef, paysAll }: Order, seen: Seen, gateway: Gateway): void {
  for (const id of idsOf(gateway, externalRef, false)) {
    if (paysAll || seen.get(externalRef) === String(id)) gateway.pay(id);
    else if (gateway.chargesFor(externalRef).some((one) => one.id === id)) gateway.expire(id);
  }
}

/** Each order was paid once, unless its buyer paid every code; and exactly then a warning names the order. */
export async function checkPaid(
  orders: readonly Order[],
  store: PaymentsStore,
  warned: ReadonlySet<string>,
  gateway: Gateway,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { externalRef } of orders) {
    const paid = idsOf(gateway, externalRef, true);
    const order = await store.get(externalRef);
    const isKnown = order?.transaction?.status === "approved" && paid.includes(Number(order.transactionId));
    const isReported = warned.has(externalRef) === paid.length > 1;
    if (paid.length === 0 || !isKnown || !isReported) {
      wrong.push(
        `${externalRef}: paid ${paid}, ${JSON.stringify(order)}, warned: ${warned.has(externalRef)}`,
      );
    }
  }
  return wrong;
}
