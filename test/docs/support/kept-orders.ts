import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";

export const orderOf = (externalRef: string) =>
  ({ externalRef, owner: `owner of ${externalRef}`, amount: 1990, paymentMethod: "pix" }) as const;

/** Claims an order, and records a transaction for it. */
export async function keep(store: PaymentsStore, externalRef: string): Promise<void> {
  await store.claim(orderOf(externalRef), 10_000);
  await store.end(orderOf(externalRef), { outcome: "created", transactionId: 7 });
}

/** How many of so many orders a store in memory still knows. */
export async function knownOrders(count: number): Promise<number> {
  const store = memoryStore();
  for (let order = 0; order < count; order += 1) await keep(store, `order-${order}`);
  let known = 0;
  // From the latest: where the oldest is claimed anew, another one is forgotten.
  for (let order = count - 1; order >= 0; order -= 1) {
    const { state } = await store.claim(orderOf(`order-${order}`), 10_000);
    known += state === "created" ? 1 : 0;
  }
  return known;
}

/** The same of handled postbacks, each of an order of its own. */
export async function knownPostbacks(count: number): Promise<number> {
  const store = memoryStore();
  const keys = Array.from({ length: count }, (_, id) => ({
    ...{ id, externalRef: `order-${id}`, trust: "signed" as const },
    ...{ rawStatus: "approved", amount: 1990 },
  }));
  for (const key of keys) {
    await store.claimPostback(key, "owner", 10_000);
    await store.confirmPostback(key, "owner");
  }
  let known = 0;
  for (const key of keys) known += (await store.claimPostback(key, "other", 10_000)).state === "done" ? 1 : 0;
  return known;
}
