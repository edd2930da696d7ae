import type { PaymentsStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { MemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { memoryPostbackStore } from "../../src/idempotency/memory-postback-store.ts";
import { storeOn } from "../../src/idempotency/store.ts";
import { aPix, merchantAt } from "../support/merchant.ts";

type Operation = "add" | "read" | "replace";

/** A store that tells what it asks its database for; each of these is one round trip. */
function watchedStore(): { store: PaymentsStore; asked: () => Operation[] } {
  const asked: Operation[] = [];
  const orders = new MemoryDocuments(100);
  const watched = new Proxy(orders, {
    get(_target, name: Operation) {
      return (...args: [never, never, never]) => {
        asked.push(name);
        return orders[name](...args);
      };
    },
  });
  const store = storeOn({ orders: watched, postbacks: memoryPostbackStore() });
  return { store, asked: () => asked.splice(0) };
}

function shop(store: PaymentsStore) {
  const { baseUrl, secretKey, publicKey, fetch } = createGateway();
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  return merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store }).payments;
}

test("a create costs two round trips: the claim, and the record of its end", async () => {
  const { store, asked } = watchedStore();

  await shop(store).transactions.createPix(aPix());

  expect(asked()).toEqual(["add", "replace"]);
});

test("a repeat costs one: the claim finds the transaction", async () => {
  const { store, asked } = watchedStore();
  const { transactions } = shop(store);
  await transactions.createPix(aPix());
  asked();

  await transactions.createPix(aPix());

  expect(asked()).toEqual(["add"]);
});

test("an attempt after one that freed the reference costs one more", async () => {
  const { store, asked } = watchedStore();
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
  await store.claim(order, 60_000);
  await store.end(order, { outcome: "not_created" });
  asked();

  await shop(store).transactions.createPix(aPix());

  expect(asked()).toEqual(["add", "replace", "replace"]);
});

test("a postback costs two, and none is written where it says nothing new", async () => {
  const { store, asked } = watchedStore();
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
  await store.claim(order, 60_000);
  await store.end(order, { outcome: "unknown" });
  asked();
  const news = { id: 7, status: "approved", rawStatus: "approved", amount: 1990 } as const;

  await store.settle("order-1", news);
  await store.settle("order-1", news);

  expect(asked()).toEqual(["read", "replace", "read"]);
});

test("once its end is recorded, a store looks at the order anew: it keeps nothing of it in the process", async () => {
  const { store, asked } = watchedStore();
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
  await store.claim(order, 60_000);
  await store.end(order, { outcome: "unknown" });
  asked();

  await store.end(order, { outcome: "created", transactionId: 7 });

  expect(asked()).toEqual(["read", "replace"]);
});
