import type { IdempotencyStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import {
  aPostback,
  aTransaction,
  attempt,
  by,
  createdAs,
  idsIn,
  LEASE,
  leasesEnd,
  NOT_CREATED,
  ORDER,
  openStore,
  REF,
  refusalOf,
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

test("if the replacement is lost, too, a late result of the first one settles the order", async () => {
  const store = await openReplacing();
  await store.end(by("b"), UNKNOWN);

  expect(idsIn(await store.end(ORDER, createdAs("pending", 1)))).toEqual([]);

  expect(await transactionOf(store)).toMatchObject({ transactionId: 1, transaction: { pix: {} } });
  expect(await replace(store, "c")).toMatchObject({ state: "created", transactionId: 1 });
  await store.settle(REF, aPostback("approved", { id: 2 }));
  expect(await store.get(REF)).toMatchObject({
    ...{ transactionId: 2, possibleDuplicates: [{ id: 1, status: "pending" }] },
  });
});

test.each([
  ["created nothing", NOT_CREATED],
  ["was lost, too", UNKNOWN],
  ["expired", createdAs("expired", 2)],
])(
  "a code that turns up while its replacement is in flight is the one to pay if that one %s",
  async (_what, end) => {
    const store = await openReplacing();
    await store.end(ORDER, createdAs("pending", 1));

    await store.end(by("b"), end);

    expect(await replace(store, "c")).toMatchObject({
      ...{ state: "created", transactionId: 1, transaction: { pix: { qrcodeText: "00020101021226" } } },
    });
  },
);

test("a code that turns up while its replacement is in flight is for no one until that one has ended", async () => {
  const store = await openReplacing();
  await store.settle(REF, aPostback("pending", { id: 1 }));

  expect(await store.end(ORDER, createdAs("pending", 1))).toMatchObject({ isReplaced: true });

  expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "claimed" });
});

test("an order that a person freed stays free if the response of its replacement is a late refusal", async () => {
  const store = await openReplacing();
  leasesEnd();
  await store.resolve(REF, { charged: false });

  await store.end(by("b"), createdAs("refused", 2));

  expect(await store.get(REF)).toMatchObject({ state: "free" });
});

test("a code that turns up after its replacement created nothing is the one to pay", async () => {
  const store = await openReplacing();
  await store.end(by("b"), NOT_CREATED);

  expect(await store.end(ORDER, createdAs("pending", 1))).toMatchObject({ isReplaced: false });

  expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "created", transactionId: 1 });
});

test("the code of a replacement is for no one once the lost pix is the one to pay, or was paid", async () => {
  const ends = [
    async (store: IdempotencyStore) => {
      leasesEnd();
      await store.end(ORDER, createdAs("pending", 1));
    },
    (store: IdempotencyStore) => store.settle(REF, aPostback("approved", { id: 1 })),
  ];
  for (const end of ends) {
    const store = await openReplacing();
    await end(store);

    expect(await store.end(by("b"), createdAs("pending", 2))).toMatchObject({ isReplaced: true });

    expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "created", transactionId: 1 });
  }
});

test("a transaction without a code that only a postback reported takes no code from the caller", async () => {
  const store = openStore();
  await store.claim(ORDER, LEASE);
  await store.settle(REF, aPostback("pending", { id: 7 }));

  expect(await store.end(ORDER, createdAs("pending", 1))).toEqual({
    ...{ possibleDuplicates: [{ id: 7, status: "pending" }], isReplaced: false },
  });
});

test("nothing is replaced while the code of an attempt that a person wrote off can be paid", async () => {
  const store = openStore();
  await attempt(store, UNKNOWN);
  await store.resolve(REF, { charged: false });
  await store.claim(by("b"), LEASE);
  await store.end(ORDER, createdAs("pending", 1));
  await store.end(by("b"), UNKNOWN);

  expect(await replace(store, "c")).toEqual({ state: "unresolved" });
});

test("a status that a postback reported is kept if the response has only the id", async () => {
  const store = await openReplacing();
  await store.settle(REF, aPostback("processing", { id: 2 }));

  await store.end(by("b"), { outcome: "created", transactionId: 2 });

  expect(await store.get(REF)).toMatchObject({ transaction: { status: "processing" } });
  expect(await replace(store, "c")).toMatchObject({ state: "created", transactionId: 2 });
});

test.each([
  ["whose id is beyond 2^53 - 1", { outcome: "created", transactionId: "99999999999999999999" } as const],
  [
    "whose picture was received",
    {
      outcome: "created",
      transactionId: 1,
      transaction: aTransaction({ id: 1, pix: { qrcodeText: "", qrcode: "data:image/png;base64,AA==" } }),
    } as const,
  ],
])("a pix %s is not replaced", async (_what, end) => {
  const store = openStore();
  await attempt(store, end);

  expect(await replace(store)).toMatchObject({ state: "created" });
});

test("a person cannot resolve the order while the replacement is in flight, also after a payment", async () => {
  const store = await openReplacing();
  await store.settle(REF, aPostback("approved", { id: 1 }));

  expect(await refusalOf(store, { transactionId: 1, status: "cancelled" })).toBe("outcome_pending");
});

test("a person may report that the lost one was paid although its replacement was created", async () => {
  const store = await openReplacing();
  await store.end(by("b"), createdAs("pending", 2));

  await store.resolve(REF, { transactionId: 1, status: "approved", attempt: 2 });

  expect(await transactionOf(store)).toMatchObject({
    transactionId: 1,
    transaction: { status: "approved" },
  });
  expect(await store.get(REF)).toMatchObject({ possibleDuplicates: [{ id: 2, status: "pending" }] });
  await store.settle(REF, aPostback("expired", { id: 2 }));
  expect(await store.get(REF)).toMatchObject({
    ...{ state: "created", transactionId: 1, possibleDuplicates: [] },
  });
});

test("a person who names another transaction of a paid order is refused", async () => {
  const store = await openReplacing();
  await store.end(by("b"), createdAs("approved", 2));

  expect(await refusalOf(store, { transactionId: 1, status: "approved" })).toEqual(["finding"]);
});

test("a payment of the lost one while its replacement is in flight is reported when that one ends", async () => {
  const store = await openReplacing();
  await store.settle(REF, aPostback("approved", { id: 1 }));

  expect(idsIn(await store.end(by("b"), createdAs("pending", 2)))).toEqual([1]);

  expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
});

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

test("an inherited option replaces nothing", async () => {
  const store = openStore();
  await attempt(store, UNKNOWN);
  const options = Object.create({ replaceLost: true });

  expect(await store.claim(by("b"), LEASE, options)).toEqual({ state: "unresolved" });
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
