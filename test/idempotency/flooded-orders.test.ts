import { expect, test } from "vitest";
import { MemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { OrderStore } from "../../src/idempotency/order-store.ts";
import { createdAs, LEASE, news, ORDER, transactionOf } from "./support/orders.ts";

async function flooded(status: "refused" | "pending", count: number) {
  const documents = new MemoryDocuments(1);
  const store = new OrderStore(documents);
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, createdAs());
  for (let id = 1; id <= count; id += 1) await store.settle(ORDER.externalRef, news(status, { id }));
  const { text = "" } = (await documents.read(ORDER.externalRef)) ?? {};
  return { store, text };
}

/** Whoever learns the signed URL of an order can make up transactions of it. */
test.each(["refused", "pending"] as const)(
  "a flood of %s transactions makes a record no larger",
  async (status) => {
    const [some, many] = [await flooded(status, 100), await flooded(status, 400)];

    expect(many.text.length).toBeLessThan(some.text.length + 1_000);
    expect(await transactionOf(many.store)).toMatchObject({ transactionId: 4021 });
  },
);
