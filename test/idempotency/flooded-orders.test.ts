import { expect, test } from "vitest";
import { DocumentPostbacks } from "../../src/idempotency/document-postbacks.ts";
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

test("of a flood of postbacks of one transaction 1,000 are remembered: the first, and the latest", async () => {
  const store = new DocumentPostbacks(new MemoryDocuments(1));
  const handle = async (amount: number) => {
    const key = { trust: "signed", externalRef: "order-1", id: 7, rawStatus: "refunded", amount } as const;
    const { state } = await store.claimPostback(key, "a", LEASE);
    await store.confirmPostback(key, "a");
    return state;
  };
  for (let amount = 1; amount <= 1_200; amount += 1) await handle(amount);

  expect(await handle(1)).toBe("done");
  expect(await handle(1_200)).toBe("done");
  expect(await handle(202)).toBe("done");
  expect(await handle(201)).toBe("claimed");
});
