import type { PostbackNews } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  aTransaction,
  createdAs,
  ID,
  LEASE,
  listed,
  news,
  ORDER,
  STATES,
  type StateName,
  stateOf,
  transactionOf,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;
type Status = PostbackNews["status"];

onEveryStore("a signed postback", (open) => {
  describe.each<StateName>(["whose lease has ended", "that is unresolved"])(
    "settles an order %s:",
    (state) => {
      test.each([
        ["pending", "created"],
        ["processing", "created"],
        ["approved", "created"],
        ["refunded", "created"], // it had been paid
        ["chargedback", "created"],
        ["unrecognized", "created"], // it may be paid
        ["refused", "free"],
        ["cancelled", "free"],
        ["expired", "free"],
      ] as const)("%s makes it %s", async (status, expected) => {
        const store = await open();
        await STATES[state](store);

        await store.settle(REF, news(status));

        expect(await listed(store)).toEqual([]);
        expect(await stateOf(store)).toBe(expected);
      });
    },
  );

  test("of an order that nobody claimed changes nothing", async () => {
    const store = await open();

    await store.settle(REF, news("approved"));

    expect(await stateOf(store)).toBe("free");
    expect(await listed(store)).toEqual([]);
  });

  test("tells of a transaction what it knows itself", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);

    await store.settle(REF, news("approved", { rawStatus: "paid" }));

    expect(await transactionOf(store)).toEqual({
      state: "created",
      transactionId: ID,
      transaction: { id: ID, status: "approved", rawStatus: "paid", amount: 1990, paymentMethod: "pix" },
    });
  });

  test("that comes once more changes nothing", async () => {
    const store = await open();
    await STATES["that is created"](store);
    await store.settle(REF, news("approved"));
    const before = await transactionOf(store);

    await store.settle(REF, news("approved"));

    expect(await transactionOf(store)).toEqual(before);
  });

  test.each(["refunded", "chargedback"] as const)(
    "about a part that is %s tells of a transaction that was paid",
    async (status) => {
      const store = await open();
      await STATES["that is unresolved"](store);

      await store.settle(REF, news(status, { amount: 500 }));

      expect((await transactionOf(store)).transaction).toMatchObject({ status: "approved", amount: 1990 });
    },
  );

  describe("moves the transaction of a created order on, and never back", () => {
    test.each<[from: Status, to: Status, then: Status | "free"]>([
      ["pending", "processing", "processing"],
      ["pending", "approved", "approved"],
      ["processing", "approved", "approved"],
      ["approved", "refunded", "refunded"],
      ["approved", "chargedback", "chargedback"],
      ["pending", "refunded", "refunded"], // what comes between was lost
      ["unrecognized", "pending", "pending"],
      ["unrecognized", "approved", "approved"],
      ["approved", "pending", "approved"],
      ["approved", "processing", "approved"],
      ["processing", "pending", "processing"],
      ["refunded", "approved", "refunded"],
      ["chargedback", "pending", "chargedback"],
      ["pending", "unrecognized", "pending"],
      ["approved", "unrecognized", "approved"],
      ["pending", "expired", "free"],
      ["pending", "cancelled", "free"],
      ["processing", "refused", "free"],
      ["unrecognized", "expired", "free"],
      ["approved", "expired", "approved"], // it came late
      ["approved", "refused", "approved"],
      ["approved", "cancelled", "approved"],
      ["refunded", "cancelled", "refunded"],
    ])("%s, then %s: %s", async (from, to, then) => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.end(ORDER, createdAs(from));

      await store.settle(REF, news(to));

      const claim = await store.claim({ ...ORDER, owner: "b" }, LEASE);
      const now = claim.state === "created" ? claim.transaction?.status : claim.state;
      expect(now).toBe(then === "free" ? "yours" : then);
    });
  });

  test("leaves out what was paid and given back at the creation: it is not known any more", async () => {
    const store = await open();
    const money = { paidAmount: 0, refundedAmount: 0, refusedAmount: 0 };
    const { transaction } = createdAs("pending");
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, {
      outcome: "created",
      transactionId: ID,
      transaction: { ...transaction, ...money },
    });
    expect((await transactionOf(store)).transaction).toMatchObject(money);

    await store.settle(REF, news("approved"));

    const { transaction: now = {} } = await transactionOf(store);
    expect(Object.keys(now).filter((name) => name in money)).toEqual([]);
  });

  test("changes nothing but the status of a transaction", async () => {
    const store = await open();
    await STATES["that is created"](store);

    await store.settle(REF, news("approved", { rawStatus: "PAID" }));

    const { transaction } = await transactionOf(store);
    expect(transaction).toEqual(aTransaction({ status: "approved", rawStatus: "PAID" }));
  });

  test("of a part that was given back changes nothing: the rest is still paid", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs("approved"));

    await store.settle(REF, news("refunded", { amount: 500 }));

    expect((await transactionOf(store)).transaction).toMatchObject({ status: "approved", amount: 1990 });
  });

  test("of a transaction of which only the id is known tells its status", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, { outcome: "created", transactionId: ID });

    await store.settle(REF, news("approved"));

    expect((await transactionOf(store)).transaction).toMatchObject({
      id: ID,
      status: "approved",
      amount: 1990,
    });
  });

  test("frees a transaction of which only the id was known, once it has expired", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, { outcome: "created", transactionId: ID });

    await store.settle(REF, news("expired"));

    expect(await stateOf(store)).toBe("free");
  });
});
