import type { AttemptEnd, ClaimedOrder } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  aPostback,
  attempt,
  by,
  createdAs,
  ID,
  idsIn,
  LEASE,
  leasesEnd,
  listed,
  NOT_CREATED,
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

const OF_A_CARD = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
const { installments: _, ...WITHOUT_INSTALLMENTS } = OF_A_CARD;

test.each<[string, ClaimedOrder]>([
  ["another number of installments", { ...OF_A_CARD, owner: "b", installments: "2" }],
  ["no number of installments", { ...WITHOUT_INSTALLMENTS, owner: "b" }],
])("a claim with %s is a conflict, and returns the state of the order", async (_what, second) => {
  const store = openStore();
  await store.claim(OF_A_CARD, LEASE);
  const whileClaimed = await store.claim(second, LEASE);
  leasesEnd();
  const afterLease = await store.claim(second, LEASE);
  await store.end(OF_A_CARD, { outcome: "created", transactionId: ID });

  expect(whileClaimed).toEqual({ state: "conflict", earlier: "claimed" });
  expect(afterLease).toEqual({ state: "conflict", earlier: "unresolved" });
  expect(await store.claim(second, LEASE)).toEqual({ state: "conflict", earlier: "created" });
});

const CREATED = createdAs("approved");
/** Only its id could be read, so it may be paid. */
const CREATED_UNREAD: AttemptEnd = { outcome: "created", transactionId: "9007199254740993" };

const ENDS: readonly [what: string, AttemptEnd, state: string][] = [
  ["with a transaction", CREATED, "created"],
  ["with the id of a transaction only", CREATED_UNREAD, "created"],
  ["with an unknown status", createdAs("unrecognized"), "created"],
  ["with a refund", createdAs("refunded"), "created"], // it was paid
  ["with a refusal", createdAs("refused"), "free"],
  ["with a cancelled transaction", createdAs("cancelled"), "free"],
  ["with an expired transaction", createdAs("expired"), "free"],
  ["unsent", NOT_CREATED, "free"],
  ["without a usable response", UNKNOWN, "unresolved"],
];

describe("an attempt that ends", () => {
  describe.each(ENDS)("%s", (_what, end, expected) => {
    test.each<StateName>(["claimed", "of an ended lease"])(
      `makes an order that is %s ${expected}`,
      async (state) => {
        const store = await storeWith(state);

        expect(idsIn(await store.end(ORDER, end))).toEqual([]);

        expect(await stateOf(store)).toBe(expected);
      },
    );

    test("is recorded twice, and changes nothing the second time", async () => {
      const store = openStore();
      await attempt(store, end);
      const once = openStore();
      await attempt(once, end);

      expect(idsIn(await store.end(ORDER, end))).toEqual([]);

      expect(await listed(store)).toEqual(await listed(once));
      expect(await store.claim(by("b"), LEASE)).toEqual(await once.claim(by("b"), LEASE));
    });
  });

  test.each([
    ["with a transaction", CREATED, "created"],
    ["with a refusal", createdAs("refused"), "free"],
    ["unsent", NOT_CREATED, "unresolved"], // the unknown outcome was recorded
  ])("late, %s, makes an unresolved order %s", async (_what, end, expected) => {
    const store = await storeWith("unresolved");

    await store.end(ORDER, end);

    expect(await stateOf(store)).toBe(expected);
  });

  test.each([
    [UNKNOWN, CREATED, "created"],
    [UNKNOWN, NOT_CREATED, "free"],
    [NOT_CREATED, CREATED, "created"],
  ])("as %j does not overwrite an earlier end", async (later, earlier, expected) => {
    const store = openStore();
    await attempt(store, earlier);

    await store.end(ORDER, later);

    expect(await stateOf(store)).toBe(expected);
  });

  test.each([NOT_CREATED, UNKNOWN])("as %j changes nothing if another caller has the claim", async (end) => {
    const store = await storeWith("claimed");

    await store.end(by("b"), end);

    expect(await store.renew(ORDER, LEASE)).toBe(true);
    expect(await stateOf(store)).toBe("claimed");
  });
});

/** A person was wrong about the attempt of `a`, and `b` is sending the order now. */
describe("a late end, while another caller is sending the order,", () => {
  async function openOvertaken() {
    const store = await storeWith("of an ended lease");
    await store.resolve(REF, { charged: false });
    await store.claim(by("b"), LEASE);
    return store;
  }

  test.each([NOT_CREATED, UNKNOWN, createdAs("refused", 1)])(
    "as %j leaves the order to that caller",
    async (end) => {
      const store = await openOvertaken();

      expect(idsIn(await store.end(ORDER, end))).toEqual([]);

      expect(await stateOf(store)).toBe("claimed");
      expect(await store.renew(by("b"), LEASE)).toBe(true);
    },
  );

  test("with a transaction leaves the order to a person if the other end is unknown", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, createdAs("pending", 1));
    await store.end(by("b"), UNKNOWN);

    expect(await listed(store)).toMatchObject([{ attempt: 2, reason: "no_answer", earlierIds: [1] }]);
    expect(await refusalOf(store, { transactionId: 1, status: "expired" })).toEqual(["finding"]);
    expect(await stateOf(store)).toBe("unresolved");
    expect(await store.resolve(REF, { charged: false })).toMatchObject({ state: "created" });
    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
    expect(await store.resolve(REF, { transactionId: 1, status: "expired" })).toMatchObject({
      state: "free",
    });
  });

  test("with a transaction does not replace an attempt whose end is unknown", async () => {
    const store = await openOvertaken();
    await store.end(by("b"), UNKNOWN);

    await store.end(ORDER, createdAs("pending", 1));
    await store.settle(REF, aPostback("expired", { id: 1 }));

    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [1] }]);
    expect(await stateOf(store)).toBe("unresolved");
  });

  test("reports the transaction of the other attempt, unless that charged no one", async () => {
    const [charged, refused] = [await openOvertaken(), await openOvertaken()];
    await charged.end(by("b"), createdAs("approved", 2));
    await refused.end(by("b"), createdAs("refused", 2));

    expect(idsIn(await charged.end(ORDER, createdAs("approved", 1)))).toEqual([2]);
    expect(idsIn(await refused.end(ORDER, createdAs("approved", 1)))).toEqual([]);
    expect(await transactionOf(refused)).toMatchObject({ transactionId: 1 });
  });

  test("reports no duplicate if its own transaction has expired since", async () => {
    const store = openStore();
    await attempt(store, UNKNOWN);
    await store.settle(REF, aPostback("expired", { id: 1 }));
    await attempt(store, createdAs("approved", 2), by("b"));

    expect(idsIn(await store.end(ORDER, createdAs("pending", 1)))).toEqual([]);
  });

  test("restores its own terms", async () => {
    const store = await storeWith("of an ended lease");
    await store.resolve(REF, { charged: false });
    await attempt(store, NOT_CREATED, { ...by("b"), paymentMethod: "credit_card", installments: "3" });

    await store.end(ORDER, createdAs("pending", 1));

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });
});

test("an end of another attempt with the same transaction id updates that transaction", async () => {
  const store = await storeWith("created");

  expect(idsIn(await store.end(by("b"), createdAs("approved")))).toEqual([]);

  expect(await transactionOf(store)).toMatchObject({
    transactionId: ID,
    transaction: { status: "approved" },
  });
});
