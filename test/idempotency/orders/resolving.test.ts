import type { Finding } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  aTransaction,
  by,
  createdAs,
  ID,
  LEASE,
  listed,
  news,
  ORDER,
  refusalOf,
  STATES,
  type StateName,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;
const NOT_CHARGED: Finding = { charged: false };

onEveryStore("what a person found out", (open) => {
  describe.each<StateName>(["whose lease has ended", "that is unresolved"])("about an order %s", (state) => {
    test.each<[Finding, "created" | "free"]>([
      [NOT_CHARGED, "free"],
      [{ transactionId: ID, status: "pending" }, "created"],
      [{ transactionId: ID, status: "processing" }, "created"],
      [{ transactionId: ID, status: "approved" }, "created"],
      [{ transactionId: ID, status: "refunded" }, "created"],
      [{ transactionId: ID, status: "chargedback" }, "created"],
      [{ transactionId: ID, status: "refused" }, "free"],
      [{ transactionId: ID, status: "cancelled" }, "free"],
      [{ transactionId: ID, status: "expired" }, "free"],
    ])("%j makes it %s, and it is listed no more", async (finding, expected) => {
      const store = await open();
      await STATES[state](store);

      expect(await store.resolve(REF, finding)).toBe(expected);

      expect(await listed(store)).toEqual([]);
      expect(await stateOf(store)).toBe(expected);
    });
  });

  test("is what a repeat gets", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);

    await store.resolve(REF, { transactionId: ID, status: "approved" });

    expect(await transactionOf(store)).toEqual({
      state: "created",
      transactionId: ID,
      transaction: { id: ID, status: "approved", amount: 1990, paymentMethod: "pix" },
    });
  });

  test("about a created order is its status", async () => {
    const store = await open();
    await STATES["that is created"](store);

    expect(await store.resolve(REF, { transactionId: ID, status: "approved" })).toBe("created");

    const { rawStatus: _, ...rest } = aTransaction({ status: "approved" });
    expect((await transactionOf(store)).transaction).toEqual(rest);
    expect(await store.resolve(REF, { transactionId: ID, status: "cancelled" })).toBe("free");
    expect(await stateOf(store)).toBe("free");
  });

  test("is remembered: a late postback of that transaction says nothing of the next attempt", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);
    await store.resolve(REF, { transactionId: ID, status: "expired" });
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), UNKNOWN);

    await store.settle(REF, news("expired"));

    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [ID] }]);
  });

  test("is overtaken by the attempt's own end, which comes late with a transaction", async () => {
    const store = await open();
    await STATES["whose lease has ended"](store);
    await store.resolve(REF, NOT_CHARGED);

    expect(await store.end(ORDER, createdAs("approved"))).toEqual([]);

    expect(await stateOf(store)).toBe("created");
  });

  test("may be about a transaction whose id is beyond 2^53 - 1", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, { outcome: "created", transactionId: "90071992547409931234" });

    const finding = { transactionId: "90071992547409931234", status: "refused" } as const;
    expect(await store.resolve(REF, finding)).toBe("free");

    expect(await stateOf(store)).toBe("free");
  });

  test("may have a short id as a text, too", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);

    await store.resolve(REF, { transactionId: "4021", status: "approved" });

    expect(await transactionOf(store)).toMatchObject({ transactionId: 4021, transaction: { id: 4021 } });
  });

  test("may be that an earlier transaction was paid late: nothing more is sent", async () => {
    const store = await open();
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), createdAs("expired", 1));
    await STATES["that is unresolved"](store);

    expect(await store.resolve(REF, { transactionId: 1, status: "approved" })).toBe("created");

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("about an earlier transaction leaves the latest attempt one that may still charge", async () => {
    const store = await open();
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), createdAs("expired", 1));
    await STATES["that is unresolved"](store);
    await store.resolve(REF, { transactionId: 1, status: "approved" });

    await store.settle(REF, news("approved", { id: 2 }));

    expect(await store.end(by("c"), createdAs("approved", 3))).toEqual(expect.arrayContaining([1, 2]));
  });

  test("about the attempt that is listed is taken, and about one before it refused", async () => {
    const store = await open();
    await STATES["that is free again"](store);
    await STATES["that is unresolved"](store);

    expect(await refusalOf(store, { charged: false, attempt: 1 })).toEqual(["finding"]);
    expect(await refusalOf(store, { transactionId: 5, status: "approved", attempt: 1 })).toEqual(["finding"]);

    expect(await store.resolve(REF, { charged: false, attempt: 2 })).toBe("free");
  });

  test("by a second person is refused or the same, where a first one was faster", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);
    await store.resolve(REF, { transactionId: ID, status: "approved" });

    expect(await refusalOf(store, NOT_CHARGED)).toEqual(["finding"]);
    expect(await refusalOf(store, { transactionId: 5, status: "approved" })).toEqual(["finding"]);
    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });
});
