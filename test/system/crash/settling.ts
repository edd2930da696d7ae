import { setTimeout } from "node:timers/promises";
import type { IdempotencyStore } from "payments-sdk/idempotency";
import type { Gateway } from "payments-sdk/sandbox";
import { type Order, oneOf } from "./plan.ts";

const FATES = ["pay", "expire", "cancel"] as const;

/**
 * Lets the transactions go on, and the service post their statuses, but for those whose postbacks get lost.
 *
 * @returns the references whose postbacks came.
 */
export async function deliverPostbacks(
  orders: readonly Order[],
  gateway: Gateway,
  seed: number,
): Promise<readonly string[]> {
  const lost = new Set(orders.filter((order) => order.isPostbackLost).map(({ externalRef }) => externalRef));
  const before = gateway.deliveries.length;
  for (const { id, externalId = "", status } of gateway.transactions) {
    if (lost.has(externalId)) continue;
    if (status === "pending") gateway[oneOf(FATES, seed, "fate", externalId)](id);
    else gateway.sendPostback(id);
  }
  // What got no 2xx is sent again a second later.
  while (gateway.deliveries.some(({ status }) => status === "scheduled")) await setTimeout(50);
  return gateway.deliveries.slice(before).map(({ body }) => body.externalRef ?? "");
}

/**
 * Does what a person does: looks into the dashboard of the service for each order that is listed, and says what is
 * there.
 *
 * @returns how many were resolved.
 */
export async function resolveByHand(store: IdempotencyStore, gateway: Gateway): Promise<number> {
  let resolved = 0;
  for await (const { externalRef, earlierIds } of store.unresolved()) {
    const seen = gateway.transactions.findLast(
      ({ id, externalId }) => externalId === externalRef && !earlierIds.includes(id),
    );
    const finding = seen ? { transactionId: seen.id, status: seen.status } : ({ charged: false } as const);
    await store.resolve(externalRef, finding);
    resolved += 1;
  }
  return resolved;
}
