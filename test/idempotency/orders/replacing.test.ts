import type { IdempotencyStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import {
  aPostback,
  attempt,
  by,
  createdAs,
  ID,
  LEASE,
  leasesEnd,
  NOT_CREATED,
  ORDER,
  openStore,
  REF,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";

const REPLACE = { replaceLost: true };
const replace = (store: IdempotencyStore, owner = "b") => store.claim(by(owner), LEASE, REPLACE);

/** A lost pix of owner `a`, and its replacement of owner `b`, which is in flight. */
async function openReplacing() {
  const store = openStore();
  await attempt(store, UNKNOWN);
  expect(await replace(store)).toEqual({ state: "yours" });
  return store;
}

test("the attempts are counted, also after a replacement that created nothing", async () => {
  const store = await openReplacing();
  expect(await store.get(REF)).toMatchObject({ state: "claimed", attempt: 2 });

  await store.end(by("b"), NOT_CREATED);
  expect(await store.get(REF)).toMatchObject({ state: "unresolved", attempt: 2 });

  await replace(store, "c");
  await store.end(by("c"), createdAs("pending"));
  expect(await store.get(REF)).toMatchObject({ state: "created", attempt: 3, possibleDuplicates: [] });
});

test("the result of the lost one may still be recorded after a replacement that created nothing", async () => {
  const store = await openReplacing();
  await store.end(by("b"), NOT_CREATED);

  expect(await store.end(ORDER, createdAs("pending", 1))).toEqual([]);

  expect(await transactionOf(store)).toMatchObject({ transactionId: 1, transaction: { pix: {} } });
});

test("if the replacement is lost, too, a late result of the first one settles the order", async () => {
  const store = await openReplacing();
  await store.end(by("b"), UNKNOWN);

  expect(await store.end(ORDER, createdAs("pending", 1))).toEqual([]);

  expect(await transactionOf(store)).toMatchObject({ transactionId: 1, transaction: { pix: {} } });
  await store.settle(REF, aPostback("approved", { id: 2 }));
  expect(await store.get(REF)).toMatchObject({ possibleDuplicates: [{ id: 2, status: "approved" }] });
});

test.each([
  ["lost, too", (store: IdempotencyStore) => store.end(by("b"), UNKNOWN)],
  ["in flight", async () => undefined],
])("a payment of either settles the order while the replacement is %s", async (_what, end) => {
  const store = await openReplacing();
  await end(store);

  expect(await store.settle(REF, aPostback("approved"))).toEqual([]);

  expect(await transactionOf(store)).toMatchObject({
    transactionId: ID,
    transaction: { status: "approved" },
  });
});

test("a payment of the lost one while its replacement is in flight is reported when that one ends", async () => {
  const store = await openReplacing();
  await store.settle(REF, aPostback("approved", { id: 1 }));

  expect(await store.end(by("b"), createdAs("pending", 2))).toEqual([1]);

  expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
});

test.each(["expired", "cancelled"] as const)(
  "a lost one that is %s does not free the order while the outcome of its replacement is not known",
  async (status) => {
    const store = await openReplacing();
    await store.end(by("b"), UNKNOWN);

    await store.settle(REF, aPostback(status, { id: 1 }));
    expect(await stateOf(store)).toBe("unresolved");

    await store.settle(REF, aPostback(status, { id: 2 }));
    expect(await stateOf(store)).toBe("free");
  },
);

test.each([
  ["is being processed", aPostback("processing", { id: 1 })],
  ["was refunded", aPostback("refunded", { id: 1 })],
  ["paid another amount", aPostback("approved", { id: 1, amount: 5 })],
])("nothing is replaced once a postback shows that a pix %s", async (_what, postback) => {
  const store = await openReplacing();
  await store.end(by("b"), UNKNOWN);

  await store.settle(REF, postback);

  expect(await replace(store, "c")).toEqual({ state: "unresolved" });
});

test("a person may find that the lost one exists and is paid", async () => {
  const store = await openReplacing();
  await store.end(by("b"), UNKNOWN);

  const resolved = await store.resolve(REF, { transactionId: 1, status: "approved", attempt: 2 });

  expect(resolved).toMatchObject({ state: "created", transaction: { id: 1, status: "approved" } });
});

test("a payment that turns out to be none does not hide that another pix of the order was paid", async () => {
  const store = await openReplacing();
  await store.end(by("b"), UNKNOWN);
  await store.settle(REF, aPostback("approved", { id: 1 }));
  await store.resolve(REF, { transactionId: 1, status: "cancelled" });
  await attempt(store, UNKNOWN, by("c"));

  await store.settle(REF, aPostback("approved", { id: 2 }));

  expect(await store.get(REF)).toMatchObject({ state: "unresolved", possibleDuplicates: [{ id: 2 }] });
});

test("at most 100 lost attempts are replaced", async () => {
  const store = openStore();
  await attempt(store, UNKNOWN);
  for (let nth = 0; nth < 100; nth += 1) {
    expect(await replace(store, `owner-${nth}`)).toEqual({ state: "yours" });
    leasesEnd();
  }

  expect(await replace(store)).toEqual({ state: "unresolved" });
});
