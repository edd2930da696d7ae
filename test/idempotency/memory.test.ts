import { memoryStore, type PostbackKey, type PostbackStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { createOrderStore } from "../../src/idempotency/order-store.ts";
import { createPostbackStore } from "../../src/idempotency/postbacks/postback-store.ts";
import { collect } from "../../src/testing/stores/fixtures.ts";
import {
  aPostback,
  attempt,
  createdAs,
  LEASE,
  ORDER,
  REF,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "./support/orders.ts";

/** What a store with a size limit forgets. */

const keyOf = (id: number, rest: Partial<PostbackKey> = {}): PostbackKey => ({
  trust: "signed",
  externalRef: REF,
  id,
  rawStatus: "approved",
  amount: 1,
  ...rest,
});

async function handle(store: PostbackStore, key: PostbackKey) {
  const { state } = await store.claimPostback(key, "a", LEASE);
  await store.confirmPostback(key, "a");
  return state;
}

describe("a store in memory, with postbacks of more orders than its limit,", () => {
  test("forgets the oldest first, and open ones last", async () => {
    const store = memoryStore({ maxPostbacks: 3 });
    const of = (nth: number) => keyOf(nth, { externalRef: `order-${nth}` });
    await store.claimPostback(of(1), "a", LEASE, {});

    for (const nth of [2, 3, 4]) await handle(store, of(nth));

    expect(await handle(store, of(4))).toBe("done");
    expect(await handle(store, of(3))).toBe("done");
    expect(await handle(store, of(2))).toBe("yours");
    for (const nth of [5, 6, 7]) await store.claimPostback(of(nth), "a", LEASE, {});
    const open = (await collect(store.openPostbacks())).map(({ externalRef }) => externalRef);
    expect(open.toSorted()).toEqual(["order-5", "order-6", "order-7"]);
  });

  test("forgets later ones of an order that has too many", async () => {
    const store = memoryStore({ maxPostbacks: 1_010 });
    const other = keyOf(5, { externalRef: "order-2" });
    await handle(store, other);

    for (let id = 1; id <= 1_020; id += 1) await handle(store, keyOf(id));

    expect(await store.claimPostback(other, "b", LEASE)).toEqual({ state: "done" });
    expect(await handle(store, keyOf(1))).toBe("done");
    expect(await handle(store, keyOf(1_020))).toBe("done");
    expect(await handle(store, keyOf(1_010))).toBe("yours");
  });

  test("neither counts those without a reference as one order, nor forgets signed ones because of them", async () => {
    const store = memoryStore({ maxPostbacks: 1_100 });
    const withoutReference = (id: number) => keyOf(id, { trust: "unsigned", externalRef: "" });
    await handle(store, keyOf(1));

    for (let id = 1; id <= 1_101; id += 1) await handle(store, withoutReference(id));

    expect(await handle(store, withoutReference(2))).toBe("done");
    expect(await handle(store, keyOf(1))).toBe("done");
  });
});

describe("a store in memory, with more orders than its limit,", () => {
  const orderOf = (nth: number) => ({ ...ORDER, externalRef: `order-${nth}`, owner: `o-${nth}` });

  test("forgets the oldest that has ended, and not one that was claimed again", async () => {
    const store = memoryStore({ maxOrders: 3 });
    await attempt(store, { outcome: "not_created" }, orderOf(1));
    for (const nth of [2, 3]) await attempt(store, createdAs(), orderOf(nth));
    await store.claim(orderOf(1), LEASE);

    await store.claim(orderOf(4), LEASE);

    expect(await stateOf(store, orderOf(1))).toBe("claimed");
    expect(await stateOf(store, orderOf(3))).toBe("created");
    expect(await store.get("order-2")).toBeUndefined();
  });

  test("forgets one whose call never reported, and whose pix expired after the lease", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore({ maxOrders: 1 });
    await store.claim(ORDER, LEASE);
    await store.recordPostback(REF, aPostback("pending"));
    vi.advanceTimersByTime(LEASE);
    await store.recordPostback(REF, aPostback("expired"));

    expect(await store.claim(orderOf(2), LEASE)).toEqual({ state: "yours" });
  });

  test("does not forget one that has not ended: further claims fail", async () => {
    const store = memoryStore({ maxOrders: 2 });
    await store.claim(orderOf(1), LEASE);
    await attempt(store, UNKNOWN, orderOf(2));

    await expect(store.claim(orderOf(3), LEASE)).rejects.toThrow("2 orders, and none of them has ended");

    expect(await stateOf(store, orderOf(1))).toBe("claimed");
    expect(await stateOf(store, orderOf(2))).toBe("unresolved");
    await store.resolve("order-2", { charged: false });
    expect(await store.claim(orderOf(3), LEASE)).toEqual({ state: "yours" });
  });
});

/** Anyone who knows the signed URL of an order can invent transactions for it. */
test.each(["refused", "pending"] as const)(
  "a flood of %s transactions does not grow a record without limit",
  async (status) => {
    const flooded = async (count: number) => {
      const documents = createMemoryDocuments(1);
      const store = createOrderStore(documents, async () => []);
      await attempt(store, createdAs());
      for (let id = 1; id <= count; id += 1) await store.recordPostback(REF, aPostback(status, { id }));
      return { store, length: (await documents.read(REF))?.text.length ?? 0 };
    };
    const [some, many] = [await flooded(100), await flooded(300)];

    expect(many.length).toBeLessThan(some.length + 1_000);
    expect(await transactionOf(many.store)).toMatchObject({ transactionId: 4021 });
  },
);

test("300 of a flood of postbacks of one transaction are remembered: the first, and the latest", async () => {
  const store = createPostbackStore({
    orders: createMemoryDocuments(1),
    transactions: createMemoryDocuments(1),
    isShared: true,
  });
  const refund = (amount: number) => handle(store, keyOf(7, { rawStatus: "refunded", amount }));
  for (let amount = 1; amount <= 350; amount += 1) await refund(amount);

  expect([await refund(1), await refund(350), await refund(52)]).toEqual(["done", "done", "done"]);
  expect(await refund(51)).toBe("yours");
});
