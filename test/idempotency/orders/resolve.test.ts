import type { Finding } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import type { Documents } from "../../../src/idempotency/documents.ts";
import { createOrderStore } from "../../../src/idempotency/order-store.ts";
import { createMemoryDocuments } from "../../../src/idempotency/stores/memory-store.ts";
import {
  aPostback,
  aTransaction,
  attempt,
  by,
  createdAs,
  ID,
  idsIn,
  LEASE,
  leasesEnd,
  listed,
  ORDER,
  openStore,
  REF,
  refusalOf,
  type StateName,
  stateOf,
  storeWith,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";

const NOT_CHARGED: Finding = { charged: false };

/** Transaction 1 charged no one, and the end of the second attempt is not known. */
async function openAfterAnEarlierTransaction() {
  const store = openStore();
  await attempt(store, createdAs("expired", 1), by("b"));
  await attempt(store, UNKNOWN);
  return store;
}

describe("a finding of a person", () => {
  describe.each<StateName>(["of an ended lease", "unresolved"])("about an order that is %s", (state) => {
    test.each<[Finding, "created" | "free"]>([
      [NOT_CHARGED, "free"],
      [{ transactionId: ID, status: "pending" }, "created"],
      [{ transactionId: ID, status: "approved" }, "created"],
      [{ transactionId: ID, status: "refunded" }, "created"],
      [{ transactionId: ID, status: "refused" }, "free"],
      [{ transactionId: ID, status: "expired" }, "free"],
    ])("%j makes it %s, and it is no longer listed", async (finding, expected) => {
      const store = await storeWith(state);

      expect(await store.resolve(REF, finding)).toMatchObject({ state: expected });

      expect(await listed(store)).toEqual([]);
      expect(await stateOf(store)).toBe(expected);
    });
  });

  test("is what a repeat gets, and a short id may be a string", async () => {
    const store = await storeWith("unresolved");

    await store.resolve(REF, { transactionId: "4021", status: "approved" });

    expect(await transactionOf(store)).toEqual({
      state: "created",
      transactionId: ID,
      transaction: { id: ID, status: "approved", amount: 1990, paymentMethod: "pix" },
    });
  });

  test("about a created order sets its status", async () => {
    const store = await storeWith("created");

    expect(await store.resolve(REF, { transactionId: ID, status: "approved" })).toMatchObject({
      state: "created",
    });

    const { rawStatus: _, ...rest } = aTransaction({ status: "approved" });
    expect((await transactionOf(store)).transaction).toEqual(rest);
    expect(await store.resolve(REF, { transactionId: ID, status: "cancelled" })).toMatchObject({
      state: "free",
    });
    expect(await stateOf(store)).toBe("free");
  });

  test("is remembered: a late postback of that transaction does not resolve the next attempt", async () => {
    const store = await storeWith("unresolved");
    await store.resolve(REF, { transactionId: ID, status: "expired" });
    await attempt(store, UNKNOWN, by("b"));

    await store.settle(REF, aPostback("expired"));

    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [ID] }]);
  });

  test("may name an earlier transaction that was paid late: the latest attempt may still charge", async () => {
    const store = await openAfterAnEarlierTransaction();

    expect(await store.resolve(REF, { transactionId: 1, status: "approved" })).toMatchObject({
      state: "created",
    });

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
    await store.settle(REF, aPostback("approved", { id: 2 }));
    expect(idsIn(await store.end(by("c"), createdAs("approved", 3)))).toEqual(expect.arrayContaining([1, 2]));
  });

  test("about the listed attempt is accepted, and about an earlier one refused", async () => {
    const store = await storeWith("free again");
    await attempt(store, UNKNOWN);

    expect(await refusalOf(store, { charged: false, attempt: 1 })).toEqual(["finding"]);
    expect(await refusalOf(store, { transactionId: 5, status: "approved", attempt: 1 })).toEqual(["finding"]);

    expect(await store.resolve(REF, { charged: false, attempt: 2 })).toMatchObject({ state: "free" });
  });
});

describe("a finding is refused, and nothing changes,", () => {
  test.each<Finding>([NOT_CHARGED, { transactionId: ID, status: "approved" }])(
    "while the order is being sent: %j",
    async (finding) => {
      const store = await storeWith("claimed");

      expect(await refusalOf(store, finding)).toBe("outcome_pending");

      expect(await store.renew(ORDER, LEASE)).toBe(true);
    },
  );

  test.each([NOT_CHARGED, { transactionId: 5, status: "approved" }])(
    "if the order has another transaction: %j",
    async (finding) => {
      const store = await storeWith("created");

      expect(await refusalOf(store, finding)).toEqual(["finding"]);

      expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
    },
  );

  test("if it names an earlier transaction that charges no one", async () => {
    const store = await openAfterAnEarlierTransaction();

    expect(await refusalOf(store, { transactionId: 1, status: "refused" })).toEqual(["finding"]);

    expect(await stateOf(store)).toBe("unresolved");
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a string", "charged: false"],
    ["an empty object", {}],
    ["charged, without a transaction", { charged: true }],
    ["charged of another type", { charged: "false" }],
    ["both", { charged: false, transactionId: ID, status: "approved" }],
    ["no status", { transactionId: ID }],
    ["no transaction", { status: "approved" }],
    ["an unknown status", { transactionId: ID, status: "paid" }],
    ["an unrecognized status", { transactionId: ID, status: "unrecognized" }],
    ["an id that is not a number", { transactionId: "4021x", status: "approved" }],
    ["an id with leading zeros", { transactionId: "04021", status: "approved" }],
    ["an attempt that is not a number", { charged: false, attempt: "1" }],
    ["an id that was rounded", { transactionId: 2 ** 53, status: "approved" }],
    ["an id of zero", { transactionId: 0, status: "approved" }],
    ["an unknown name", { charged: false, chargd: true }],
  ])("if it is %s", async (_what, finding) => {
    const store = await storeWith("unresolved");

    expect(await refusalOf(store, finding)).toEqual(["finding"]);

    expect(await stateOf(store)).toBe("unresolved");
  });
});

test("olderThanMs counts from the latest change", async () => {
  const store = await storeWith("of an ended lease");
  await store.end(ORDER, UNKNOWN);

  expect(await listed(store, { olderThanMs: LEASE })).toEqual([]);
  leasesEnd();
  expect(await listed(store, { olderThanMs: LEASE })).toHaveLength(1);
});

test.each<[unknown, string]>([
  [{ olderThanMs: -1 }, "olderThanMs must be a number"],
  [{ olderThanMs: Number.NaN }, "olderThanMs must be a number"],
  [{ olderThanMs: "60" }, "olderThanMs must be a number"],
  [{ olderThan: 5 }, "olderThan is not an option"],
])("the options %j are refused", async (options, message) => {
  const listing = listed(openStore(), options as object);

  await expect(listing).rejects.toMatchObject({ code: "configuration" });
  await expect(listing).rejects.toThrow(message);
});

test("each reference is listed once, even if the database repeats it", async () => {
  const documents = createMemoryDocuments(10);
  const twice: Documents = {
    ...documents,
    async *list(isOpenOnly) {
      yield* documents.list(isOpenOnly);
      yield* documents.list(isOpenOnly); // as a database may do while it is written to
    },
  };
  const store = createOrderStore(twice, async () => []);
  for (const externalRef of ["order-1", "order-2"]) await attempt(store, UNKNOWN, { ...ORDER, externalRef });

  expect((await listed(store)).map(({ externalRef }) => externalRef)).toEqual(["order-1", "order-2"]);
});
