import { describe, expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  listed,
  NOT_CREATED,
  news,
  ORDER,
  STATES,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;
const FIRST = 1;
const SECOND = 2;
const DEAD = ["refused", "expired", "cancelled"] as const;

onEveryStore("a signed postback of a transaction that nobody knew", (open) => {
  test("blocks a free order, where it may be paid: somebody was sent twice otherwise", async () => {
    const store = await open();
    await STATES["that is free again"](store);

    await store.settle(REF, news("pending"));

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test.each(DEAD)("leaves a free order free, where it is %s", async (status) => {
    const store = await open();
    await STATES["that is free again"](store);

    await store.settle(REF, news(status));

    expect(await stateOf(store)).toBe("free");
  });

  test.each(DEAD)("leaves a created order as it is, where it is %s", async (status) => {
    const store = await open();
    await STATES["that is created"](store);

    await store.settle(REF, news(status, { id: SECOND }));

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test("leaves a created order with its own transaction, and stays when that one expires", async () => {
    const store = await open();
    await STATES["that is created"](store);
    await store.settle(REF, news("approved", { id: SECOND }));
    const before = await transactionOf(store);

    await store.settle(REF, news("expired"));

    expect(before).toMatchObject({ transactionId: ID });
    expect(await transactionOf(store)).toMatchObject({ transactionId: SECOND });
  });

  test("does not free an order of another amount, and is remembered", async () => {
    for (const state of ["that is claimed", "that is unresolved"] as const) {
      const store = await open();
      await STATES[state](store);

      await store.settle(REF, news("refused", { id: FIRST, amount: 5 }));
      await store.settle(REF, news("refused", { id: FIRST }));

      expect(await stateOf(store)).toBe(state === "that is claimed" ? "claimed" : "unresolved");
    }
  });

  test("does not let a lease begin anew", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    const before = (await store.claim(by("b"), LEASE)) as { leaseLeftMs: number };

    await store.settle(REF, news("refused", { amount: 5 }));

    const after = (await store.claim(by("b"), LEASE)) as { leaseLeftMs: number };
    expect(after.leaseLeftMs).toBeLessThanOrEqual(before.leaseLeftMs);
    expect(after.leaseLeftMs).toBeGreaterThan(LEASE - 10_000);
  });

  describe("while an earlier attempt is unaccounted for", () => {
    /** A person said that the first attempt charged nobody. */
    async function openAfterAFinding() {
      const store = await open();
      await STATES["that is unresolved"](store);
      await store.resolve(REF, { charged: false });
      await store.claim(by("b"), LEASE);
      return store;
    }

    test.each(DEAD)("frees nothing, where it is %s: it may be of that one", async (status) => {
      const store = await openAfterAFinding();
      await store.end(by("b"), UNKNOWN);

      await store.settle(REF, news(status, { id: FIRST }));

      expect(await stateOf(store)).toBe("unresolved");
    });

    test("accounts for it: the next one is that of the latest attempt", async () => {
      const store = await openAfterAFinding();
      await store.end(by("b"), UNKNOWN);
      await store.settle(REF, news("expired", { id: FIRST }));

      await store.settle(REF, news("expired", { id: SECOND }));

      expect(await stateOf(store)).toBe("free");
    });

    test("is not used up by the latest attempt's own, once that is known to be its own", async () => {
      const store = await openAfterAFinding();
      await store.settle(REF, news("refused", { id: SECOND }));
      await store.end(by("b"), createdAs("refused", SECOND));
      await store.claim(by("c"), LEASE);
      await store.end(by("c"), UNKNOWN);

      await store.settle(REF, news("expired", { id: FIRST }));

      expect(await stateOf(store)).toBe("unresolved");
    });

    test("is not said to be of an earlier attempt: nobody knows whose it is", async () => {
      const store = await openAfterAFinding();
      await store.end(by("b"), UNKNOWN);

      await store.settle(REF, news("expired", { id: FIRST }));

      expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [] }]);
      expect(await store.resolve(REF, { transactionId: FIRST, status: "expired" })).toBe("free");
    });

    test("is not the end of the latest attempt, where it may be paid and dies later", async () => {
      const store = await openAfterAFinding();
      await store.settle(REF, news("pending", { id: FIRST }));
      await store.end(by("b"), UNKNOWN);

      await store.settle(REF, news("expired", { id: FIRST }));

      expect(await stateOf(store)).not.toBe("free");
    });
  });

  test("and that may be paid is told, when the attempt on its way ends with another one", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(REF, news("approved", { id: SECOND }));

    expect(await store.end(ORDER, createdAs("approved", FIRST))).toEqual([SECOND]);
  });

  test("keeps the order created, where the attempt on its way was not sent at all", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(REF, news("approved", { id: SECOND }));

    await store.end(ORDER, NOT_CREATED);

    expect(await transactionOf(store)).toMatchObject({ transactionId: SECOND });
  });
});
