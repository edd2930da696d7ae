import type { AttemptEnd, PostbackNews } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
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
  pass,
  REF,
  type StateName,
  stateOf,
  storeWith,
  transactionOf,
  UNCHARGED,
  UNKNOWN,
} from "../support/orders.ts";

type Status = PostbackNews["status"];

describe("a signed postback", () => {
  describe.each<StateName>(["of an ended lease", "unresolved"])("settles an order that is %s:", (state) => {
    test.each([
      ["pending", "created"],
      ["refunded", "created"], // it had been paid
      ["unrecognized", "created"], // it may be paid
      ["refused", "free"],
      ["cancelled", "free"],
      ["expired", "free"],
    ] as const)("%s makes it %s", async (status, expected) => {
      const store = await storeWith(state);

      await store.settle(REF, aPostback(status));

      expect(await listed(store)).toEqual([]);
      expect(await stateOf(store)).toBe(expected);
    });
  });

  test("is the only source for the transaction of an unresolved order", async () => {
    const store = await storeWith("unresolved");

    await store.settle(REF, aPostback("approved", { rawStatus: "paid" }));

    expect(await transactionOf(store)).toEqual({
      state: "created",
      transactionId: ID,
      transaction: { id: ID, status: "approved", rawStatus: "paid", amount: 1990, paymentMethod: "pix" },
    });
  });

  test.each(["refunded", "chargedback"] as const)(
    "about a part of the amount that is %s means that the rest is still paid",
    async (status) => {
      const [unresolved, created] = [await storeWith("unresolved"), openStore()];
      await attempt(created, createdAs("approved"));

      for (const store of [unresolved, created]) {
        await store.settle(REF, aPostback(status, { amount: 500 }));

        expect((await transactionOf(store)).transaction).toMatchObject({ status: "approved", amount: 1990 });
      }
    },
  );

  describe("moves the transaction of a created order forward, and never back:", () => {
    test.each<[from: Status, to: Status, then: Status | "free"]>([
      ["pending", "approved", "approved"],
      ["approved", "refunded", "refunded"],
      ["pending", "refunded", "refunded"], // the postbacks in between were lost
      ["approved", "pending", "approved"],
      ["refunded", "approved", "refunded"],
      ["approved", "unrecognized", "approved"],
      ["pending", "expired", "free"],
      ["processing", "expired", "free"], // it cannot be paid any more
      ["approved", "expired", "approved"], // a late postback
      ["refunded", "cancelled", "refunded"],
    ])("%s, then %s: %s", async (from, to, then) => {
      const store = openStore();
      await attempt(store, createdAs(from));

      await store.settle(REF, aPostback(to));

      const claim = await store.claim(by("b"), LEASE);
      const now = claim.state === "created" ? claim.transaction?.status : claim.state;
      expect(now).toBe(then === "free" ? "yours" : then);
    });
  });

  test("changes the status of a transaction, and drops its old amounts, which have changed", async () => {
    const store = openStore();
    const money = { paidAmount: 0, refundedAmount: 0, refusedAmount: 0 };
    const transaction = aTransaction(money);
    await attempt(store, { outcome: "created", transactionId: ID, transaction });
    expect((await transactionOf(store)).transaction).toEqual(transaction);

    await store.settle(REF, aPostback("approved", { rawStatus: "PAID" }));
    await store.settle(REF, aPostback("approved", { rawStatus: "PAID" }));

    expect((await transactionOf(store)).transaction).toEqual(
      aTransaction({ status: "approved", rawStatus: "PAID" }),
    );
  });

  test.each([
    ["approved", "created"],
    ["expired", "free"],
  ] as const)("of a transaction with only a known id: %s makes the order %s", async (status, state) => {
    const store = openStore();
    await attempt(store, { outcome: "created", transactionId: ID });

    await store.settle(REF, aPostback(status));

    const claim = await store.claim(by("b"), LEASE);
    if (state === "free") expect(claim.state).toBe("yours");
    else expect(claim).toMatchObject({ state, transaction: { id: ID, status, amount: 1990 } });
  });

  test.each(UNCHARGED)("with the status %s and another amount is ignored", async (status) => {
    const store = await storeWith("created");

    await store.settle(REF, aPostback(status, { amount: 500 }));

    expect(await stateOf(store)).toBe("created");
  });
});

describe("a signed postback that arrives before the response", () => {
  test.each(["pending", "processing", "unrecognized"] as const)(
    "and reports a pix as %s leaves it claimed until its code is known, or the call is over",
    async (status) => {
      const openAndSettle = async () => {
        const store = await storeWith("claimed");
        await store.settle(REF, aPostback(status));
        expect(await stateOf(store)).toBe("claimed");
        expect(await listed(store)).toEqual([]);
        return store;
      };
      const [answered, unanswered, crashed] = [
        await openAndSettle(),
        await openAndSettle(),
        await openAndSettle(),
      ];

      await answered.end(ORDER, createdAs("pending"));
      await unanswered.end(ORDER, UNKNOWN);
      leasesEnd();

      expect((await transactionOf(answered)).transaction?.pix).toEqual({ qrcodeText: "00020101021226" });
      expect(await transactionOf(unanswered)).toMatchObject({ transactionId: ID });
      expect(await transactionOf(crashed)).toMatchObject({ transactionId: ID });
    },
  );

  test.each([
    ["a card that is processing", "credit_card", "processing"],
    ["a pix that is approved", "pix", "approved"],
    ["a pix that is refunded", "pix", "refunded"],
  ] as const)("of %s is its result at once: nothing more has to be sent", async (_what, method, status) => {
    const store = openStore();
    const order = { ...ORDER, paymentMethod: method };
    await store.claim(order, LEASE);

    await store.settle(REF, aPostback(status));

    expect(await transactionOf(store, order)).toMatchObject({ transactionId: ID });
    expect(await store.renew(order, LEASE)).toBe(false);
  });

  describe.each(UNCHARGED)("and reports %s", (status) => {
    test("blocks other callers until the call is over", async () => {
      const store = await storeWith("claimed");

      await store.settle(REF, aPostback(status));

      expect(await stateOf(store)).toBe("claimed");
      expect(await store.renew(ORDER, LEASE)).toBe(true);
      leasesEnd();
      expect(await stateOf(store)).toBe("free");
    });

    test.each<[string, AttemptEnd]>([
      ["with an older response", createdAs("pending")],
      ["with the same response", createdAs(status)],
      ["without a response", UNKNOWN],
    ])("frees the order once the call ends %s", async (_what, end) => {
      const store = await storeWith("claimed");
      await store.settle(REF, aPostback(status));

      expect(idsIn(await store.end(ORDER, end))).toEqual([]);

      expect(await stateOf(store)).toBe("free");
    });
  });

  test("does not free the order if the response contradicts it", async () => {
    const store = await storeWith("claimed");
    await store.settle(REF, aPostback("refused"));

    await store.end(ORDER, createdAs("approved"));

    expect(await stateOf(store)).toBe("created");
  });
});

const [FIRST, SECOND] = [1, 2];

describe("a signed postback of an unknown transaction", () => {
  test("blocks a free order if it may be paid: the customer would be charged twice", async () => {
    const store = await storeWith("free again");

    await store.settle(REF, aPostback("pending"));

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test("does not replace the transaction of a created order until that expires", async () => {
    const store = await storeWith("created");
    expect(await store.settle(REF, aPostback("approved", { id: SECOND }))).toEqual([
      { id: ID, status: "pending" },
    ]);
    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });

    await store.settle(REF, aPostback("expired"));

    expect(await transactionOf(store)).toMatchObject({ transactionId: SECOND });
  });

  test("replaces one that expires, and the latest does if there are several", async () => {
    const store = await storeWith("created");
    for (const id of [FIRST, SECOND]) await store.settle(REF, aPostback("pending", { id }));

    await store.settle(REF, aPostback("expired"));

    expect(await transactionOf(store)).toMatchObject({ transactionId: SECOND });
  });

  test.each(["claimed", "unresolved"] as const)(
    "with another amount does not free an order that is %s",
    async (state) => {
      const store = await storeWith(state);

      await store.settle(REF, aPostback("refused", { id: FIRST, amount: 5 }));
      await store.settle(REF, aPostback("refused", { id: FIRST }));

      expect(await stateOf(store)).toBe(state);
    },
  );

  test("does not end by a postback with another amount", async () => {
    const store = await storeWith("created");
    await store.settle(REF, aPostback("pending", { id: FIRST }));

    await store.settle(REF, aPostback("expired", { id: FIRST, amount: 500 }));
    await store.settle(REF, aPostback("expired"));

    expect(await transactionOf(store)).toMatchObject({ transactionId: FIRST });
  });

  test("does not restart a lease", async () => {
    const store = await storeWith("claimed");
    pass(10_000);

    await store.settle(REF, aPostback("refused", { amount: 5 }));

    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "claimed", leaseLeftMs: LEASE - 10_000 });
  });
});

/** An attempt creates one transaction at most: the known transactions show which attempts may still charge. */
describe("while a person may have been wrong about the first attempt, a postback of an unknown transaction", () => {
  /** A person reported that the attempt of `a` charged no one, and `b` has claimed the order. */
  async function openAfterAFinding() {
    const store = await storeWith("unresolved");
    await store.resolve(REF, { charged: false });
    await store.claim(by("b"), LEASE);
    return store;
  }

  async function openWithTwo() {
    const store = await openAfterAFinding();
    await store.end(by("b"), UNKNOWN);
    return store;
  }

  test("is not attributed to an earlier attempt: it may belong to either", async () => {
    const store = await openWithTwo();

    await store.settle(REF, aPostback("expired", { id: FIRST }));

    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [] }]);
    expect(await store.resolve(REF, { transactionId: FIRST, status: "expired" })).toMatchObject({
      state: "free",
    });
  });
});

describe("a signed postback of an earlier attempt", () => {
  /** The first attempt ended with a transaction that charged no one; the second is in flight. */
  async function openSecondAttempt() {
    const store = openStore();
    await attempt(store, createdAs("pending", FIRST));
    await store.settle(REF, aPostback("expired", { id: FIRST }));
    await store.claim(by("b"), LEASE);
    return store;
  }

  test("does not resolve an attempt whose end is unknown, or one with a transaction", async () => {
    const [unknown, created] = [await openSecondAttempt(), await openSecondAttempt()];
    await unknown.end(by("b"), UNKNOWN);
    await created.end(by("b"), createdAs("approved", SECOND));

    for (const status of UNCHARGED) {
      for (const store of [unknown, created]) await store.settle(REF, aPostback(status, { id: FIRST }));
    }

    expect(await listed(unknown)).toMatchObject([{ attempt: 2, earlierIds: [FIRST] }]);
    expect(await transactionOf(created)).toMatchObject({ transactionId: SECOND });
  });

  test("is known for each of many earlier attempts", async () => {
    const store = openStore();
    for (const id of [1, 2, 3, 4, 5]) await attempt(store, createdAs("refused", id), by(`owner-${id}`));
    await attempt(store, UNKNOWN);

    await store.settle(REF, aPostback("refused", { id: 1 }));

    expect(await listed(store)).toMatchObject([{ attempt: 6, earlierIds: [1, 2, 3, 4, 5] }]);
  });
});
