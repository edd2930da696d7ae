import type { PaymentsStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { memoryPostbackStore } from "../../src/idempotency/memory-postback-store.ts";
import { createOrderStore } from "../../src/idempotency/order-store.ts";
import { createMemoryDocuments } from "../../src/idempotency/stores/memory-store.ts";
import { aPix, merchantAt } from "../support/merchant.ts";
import { attempt, createdAs, NOT_CREATED, news, ORDER, REF, UNKNOWN } from "./support/orders.ts";

type Operation = "add" | "read" | "replace";

/** A store that tells what it asks its database for; each of these is one round trip. */
function watchedStore(): { store: PaymentsStore; asked: () => Operation[] } {
  const asked: Operation[] = [];
  const orders = createMemoryDocuments(100);
  const watched = new Proxy(orders, {
    get(_target, name: Operation) {
      return (...args: [never, never, never]) => {
        asked.push(name);
        return orders[name](...args);
      };
    },
  });
  const store = { ...createOrderStore(watched), ...memoryPostbackStore() };
  return { store, asked: () => asked.splice(0) };
}

function shop(store: PaymentsStore) {
  const { baseUrl, secretKey, publicKey, fetch } = createGateway();
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  return merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store }).payments;
}

test("a create costs two round trips, the claim and its end, and a repeat one", async () => {
  const { store, asked } = watchedStore();
  const { transactions } = shop(store);

  await transactions.createPix(aPix());
  expect(asked()).toEqual(["add", "replace"]);
  await transactions.createPix(aPix());

  expect(asked()).toEqual(["add"]);
});

test("an attempt after one that freed the reference costs one more", async () => {
  const { store, asked } = watchedStore();
  await attempt(store, NOT_CREATED);
  asked();

  await shop(store).transactions.createPix(aPix());

  expect(asked()).toEqual(["add", "replace", "replace"]);
});

test("a postback costs two, and one if it says nothing new", async () => {
  const { store, asked } = watchedStore();
  await attempt(store, UNKNOWN);
  asked();

  await store.settle(REF, news("approved"));
  await store.settle(REF, news("approved"));

  expect(asked()).toEqual(["read", "replace", "read"]);
});

test("once its end is recorded, nothing of an order is kept in the process", async () => {
  const { store, asked } = watchedStore();
  await attempt(store, UNKNOWN);
  asked();

  await store.end(ORDER, createdAs());

  expect(asked()).toEqual(["read", "replace"]);
});
