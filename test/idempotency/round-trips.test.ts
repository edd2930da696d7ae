import type { PaymentsStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { createOrderStore } from "../../src/idempotency/order-store.ts";
import { memoryPostbackStore } from "../../src/idempotency/postbacks/memory-postback-store.ts";
import { createMemoryDocuments } from "../../src/idempotency/stores/memory-store.ts";
import { aPix, merchantAt } from "../support/merchant.ts";
import { aPostback, attempt, createdAs, NOT_CREATED, ORDER, REF, UNKNOWN } from "./support/orders.ts";

type Operation = "add" | "read" | "replace";

/** A store that records the operations of its database, each of which is one round trip. */
function watchedStore(): { store: PaymentsStore; operations: () => Operation[] } {
  const operations: Operation[] = [];
  const orders = createMemoryDocuments(100);
  const watched = new Proxy(orders, {
    get(_target, name: Operation) {
      return (...args: [never, never, never]) => {
        operations.push(name);
        return orders[name](...args);
      };
    },
  });
  const store = { ...createOrderStore(watched, async () => []), ...memoryPostbackStore() };
  return { store, operations: () => operations.splice(0) };
}

function shop(store: PaymentsStore) {
  const { baseUrl, secretKey, publicKey, fetch } = createGateway();
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  return merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store }).payments;
}

test("a create call costs two round trips, the claim and its end, and a repeat one", async () => {
  const { store, operations } = watchedStore();
  const { transactions } = shop(store);

  await transactions.createPix(aPix());
  expect(operations()).toEqual(["add", "replace"]);
  await transactions.createPix(aPix());

  expect(operations()).toEqual(["add"]);
});

test.each<[string, Parameters<typeof attempt>[1], (store: PaymentsStore) => unknown, Operation[]]>([
  [
    "an attempt after one that freed the reference costs three",
    NOT_CREATED,
    (store) => shop(store).transactions.createPix(aPix()),
    ["add", "replace", "replace"],
  ],
  ["a postback costs two", UNKNOWN, (store) => store.settle(REF, aPostback("approved")), ["read", "replace"]],
  [
    "a postback that changes nothing costs one",
    createdAs(),
    (store) => store.settle(REF, aPostback("pending")),
    ["read"],
  ],
  [
    "a second end costs two: the process keeps no data",
    UNKNOWN,
    (store) => store.end(ORDER, createdAs()),
    ["read", "replace"],
  ],
])("%s", async (_title, end, act, expected) => {
  const { store, operations } = watchedStore();
  await attempt(store, end);
  operations();

  await act(store);

  expect(operations()).toEqual(expected);
});
