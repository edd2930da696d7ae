import type { ClaimedOrder } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  leaseEnds,
  NOT_CREATED,
  news,
  ORDER,
  STATES,
  type StateName,
  stateOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const OF_A_CARD = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;

onEveryStore("a claim of an order", (open) => {
  test.each<[StateName, string]>([
    ["that nobody claimed", "yours"],
    ["that is free again", "yours"],
    ["that is claimed", "claimed"],
    ["whose lease has ended", "unresolved"],
    ["that is unresolved", "unresolved"],
    ["that is created", "created"],
  ])("%s gets: %s", async (state, expected) => {
    const store = await open();
    await STATES[state](store);

    expect(await store.claim(by("b"), LEASE)).toMatchObject({ state: expected });
  });

  test("that somebody is sending tells how long their lease lasts", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    const claim = await store.claim(by("b"), LEASE);

    expect(claim).toEqual({ state: "claimed", leaseLeftMs: expect.any(Number) });
    const { leaseLeftMs } = claim as { leaseLeftMs: number };
    expect(leaseLeftMs).toBeGreaterThan(LEASE - 10_000);
    expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
  });

  test("that is created gets the transaction as it was recorded", async () => {
    const store = await open();
    const end = createdAs();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, end);

    const { transactionId, transaction } = { transactionId: ID, transaction: end.transaction };
    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "created", transactionId, transaction });
  });

  test("of which nothing but an id could be read gets that id, however long", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, { outcome: "created", transactionId: "90071992547409931234" });

    expect(await store.claim(by("b"), LEASE)).toEqual({
      state: "created",
      transactionId: "90071992547409931234",
    });
  });

  test.each<StateName>(["that is claimed", "whose lease has ended", "that is unresolved", "that is created"])(
    "%s changes nothing, however often",
    async (state) => {
      const store = await open();
      await STATES[state](store);
      const before = await store.claim(by("b"), LEASE);

      for (let nth = 0; nth < 3; nth += 1) await store.claim(by(`c-${nth}`), 3 * LEASE);

      const after = await store.claim(by("d"), LEASE);
      expect({ ...after, leaseLeftMs: 0 }).toEqual({ ...before, leaseLeftMs: 0 });
      const lease = (claim: object) => ("leaseLeftMs" in claim ? Number(claim.leaseLeftMs) : 0);
      expect(lease(after)).toBeLessThanOrEqual(lease(before));
    },
  );

  test("by the very same owner is no exception: a claim is made once", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    expect(await store.claim(ORDER, LEASE)).toMatchObject({ state: "claimed" });
  });

  describe.each<[string, ClaimedOrder, ClaimedOrder]>([
    ["amount", ORDER, { ...by("b"), amount: 1991 }],
    ["method", { ...ORDER, paymentMethod: "credit_card" }, by("b")],
    ["number of installments", OF_A_CARD, { ...OF_A_CARD, owner: "b", installments: "2" }],
    [
      "number of installments, which is missing",
      OF_A_CARD,
      { externalRef: ORDER.externalRef, amount: 1990, paymentMethod: "credit_card", owner: "b" },
    ],
  ])("with another %s", (_what, first, second) => {
    test("is a conflict with one that is being sent, was sent, or may have been, and says which", async () => {
      const store = await open();
      await store.claim(first, LEASE);
      const whileClaimed = await store.claim(second, LEASE);
      await store.end(first, UNKNOWN);
      const whileUnresolved = await store.claim(second, LEASE);
      await store.end(first, { outcome: "created", transactionId: ID });
      const whileCreated = await store.claim(second, LEASE);

      expect([whileClaimed, whileUnresolved, whileCreated]).toEqual([
        { state: "conflict", earlier: "claimed" },
        { state: "conflict", earlier: "unresolved" },
        { state: "conflict", earlier: "created" },
      ]);
    });

    test("is a conflict also when the lease has ended", async () => {
      const store = await open();
      await store.claim(first, 1);
      await leaseEnds(store, first);

      expect(await store.claim(second, LEASE)).toEqual({ state: "conflict", earlier: "unresolved" });
    });

    test("takes a free one, whose terms are the new ones from then on", async () => {
      const store = await open();
      await store.claim(first, LEASE);
      await store.end(first, NOT_CREATED);

      expect(await store.claim(second, LEASE)).toEqual({ state: "yours" });
      expect(await store.claim({ ...first, owner: "c" }, LEASE)).toMatchObject({ state: "conflict" });
      expect(await store.claim({ ...second, owner: "c" }, LEASE)).toMatchObject({ state: "claimed" });
    });
  });

  test.each(["refused", "expired", "cancelled"] as const)(
    "whose transaction was %s is sent again, as often as that happens",
    async (status) => {
      const store = await open();

      for (const [nth, owner] of ["a", "b", "c"].entries()) {
        expect(await store.claim(by(owner), LEASE)).toEqual({ state: "yours" });
        await store.end(by(owner), createdAs("pending", ID + nth));
        expect(await stateOf(store)).toBe("created");
        await store.settle(ORDER.externalRef, news(status, { id: ID + nth }));
      }

      expect(await stateOf(store)).toBe("free");
    },
  );

  test("of another reference has nothing to do with it", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    const other = { ...by("b"), externalRef: "order-2", amount: 5 };
    expect(await store.claim(other, LEASE)).toEqual({ state: "yours" });
  });
});
