import type { AttemptOutcome, PaymentsStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { createOrderStore } from "../../src/idempotency/order-store.ts";
import { memoryPostbackStore } from "../../src/idempotency/postbacks/memory-postback-store.ts";
import { createMemoryDocuments } from "../../src/idempotency/stores/memory-store.ts";
import { byPix, merchantWithStore } from "../resources/support/merchant-with-store.ts";
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

const pay = async (store: PaymentsStore) => byPix((await merchantWithStore(undefined, { store })).payments);
const settle = (status: "approved" | "pending") => (store: PaymentsStore) =>
  store.recordPostback(REF, aPostback(status));
const endAgain = (store: PaymentsStore) => store.recordOutcome(ORDER, createdAs());

test.each<[string, AttemptOutcome | undefined, (store: PaymentsStore) => unknown, Operation[]]>([
  ["a create call costs two, the claim and its end", undefined, pay, ["add", "replace"]],
  ["a repeat costs one", createdAs(), pay, ["add"]],
  [
    "an attempt after one that freed the reference costs three",
    NOT_CREATED,
    pay,
    ["add", "replace", "replace"],
  ],
  ["a postback costs two", UNKNOWN, settle("approved"), ["read", "replace"]],
  ["a postback that changes nothing costs one", createdAs(), settle("pending"), ["read"]],
  ["a second end costs two: the process keeps no data", UNKNOWN, endAgain, ["read", "replace"]],
])("of the round trips to the database, %s", async (_title, end, act, expected) => {
  const { store, operations } = watchedStore();
  if (end !== undefined) await attempt(store, end);
  operations();

  await act(store);

  expect(operations()).toEqual(expected);
});
