import { expect, test } from "vitest";
import {
  by,
  createdAs,
  LEASE,
  leaseEnds,
  listed,
  NOT_CREATED,
  news,
  ORDER,
  refusalOf,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

/** A person was wrong about the attempt of `a`, and `b` is sending the order. */
onEveryStore("a late end, while somebody else is sending the order", (open) => {
  async function openOvertaken() {
    const store = await open();
    await store.claim(ORDER, 1);
    await leaseEnds(store);
    await store.resolve(ORDER.externalRef, { charged: false });
    await store.claim(by("b"), LEASE);
    return store;
  }

  test.each([NOT_CREATED, UNKNOWN])("%j changes nothing", async (end) => {
    const store = await openOvertaken();

    expect(await store.end(ORDER, end)).toEqual([]);

    expect(await store.renew(by("b"), LEASE)).toBe(true);
  });

  test("with a transaction is not forgotten, and the other end tells that there are two", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, createdAs("approved", 1));

    expect(await store.end(by("b"), createdAs("approved", 2))).toEqual([1]);

    expect(await stateOf(store)).toBe("created");
  });

  test("with a transaction leaves the order created, where the other one was not sent", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, createdAs("approved", 1));

    await store.end(by("b"), NOT_CREATED);

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("with a transaction leaves the order to a person, where nobody knows how the other one ended", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, createdAs("approved", 1));

    await store.end(by("b"), UNKNOWN);

    expect(await listed(store)).toMatchObject([{ attempt: 2, reason: "no_answer", earlierIds: [1] }]);
    expect(await store.resolve(ORDER.externalRef, { charged: false })).toBe("created");
    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("is one thing, and the attempt of which nobody knows another: a finding about the first frees nothing", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, createdAs("pending", 1));
    await store.end(by("b"), UNKNOWN);

    expect(await refusalOf(store, { transactionId: 1, status: "expired" })).toEqual(["finding"]);

    expect(await stateOf(store)).toBe("unresolved");
    expect(await store.resolve(ORDER.externalRef, { charged: false })).toBe("created");
    expect(await store.resolve(ORDER.externalRef, { transactionId: 1, status: "expired" })).toBe("free");
  });

  test("with a transaction does not take the place of an attempt of which nobody knows", async () => {
    const store = await openOvertaken();
    await store.end(by("b"), UNKNOWN);

    await store.end(ORDER, createdAs("pending", 1));
    await store.settle(ORDER.externalRef, news("expired", { id: 1 }));

    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [1] }]);
    expect(await stateOf(store)).toBe("unresolved");
  });

  test("brings its own terms", async () => {
    const store = await open();
    const card = { ...by("b"), paymentMethod: "credit_card", installments: "3" } as const;
    await store.claim(ORDER, 1);
    await leaseEnds(store);
    await store.resolve(ORDER.externalRef, { charged: false });
    await store.claim(card, LEASE);
    await store.end(card, NOT_CREATED);

    await store.end(ORDER, createdAs("pending", 1));

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("tells of the transaction that the other one has made", async () => {
    const store = await openOvertaken();
    await store.end(by("b"), createdAs("approved", 2));

    expect(await store.end(ORDER, createdAs("approved", 1))).toEqual([2]);
  });

  test("tells nobody of one that charged nobody", async () => {
    const store = await openOvertaken();
    await store.end(by("b"), createdAs("refused", 2));

    expect(await store.end(ORDER, createdAs("approved", 1))).toEqual([]);
    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("that was refused leaves the order to the one who is sending it", async () => {
    const store = await openOvertaken();

    expect(await store.end(ORDER, createdAs("refused", 1))).toEqual([]);

    expect(await store.renew(by("b"), LEASE)).toBe(true);
    expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "claimed" });
  });

  test("with an id beyond 2^53 - 1 is told by exactly that id", async () => {
    const store = await openOvertaken();
    await store.end(ORDER, { outcome: "created", transactionId: "9007199254740993" });

    expect(await store.end(by("b"), createdAs("approved", 2))).toEqual(["9007199254740993"]);
  });
});
