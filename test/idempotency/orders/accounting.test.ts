import { describe, expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  NOT_CREATED,
  news,
  ORDER,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;

/** An attempt makes one transaction at most: what is left of the transactions tells what is left of the attempts. */
onEveryStore("a transaction that nobody knew", (open) => {
  /** A person was wrong about the attempt of `a`, and nobody knows how that of `b` ended. */
  async function openWithTwo() {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
    await store.resolve(REF, { charged: false });
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), UNKNOWN);
    return store;
  }

  test("and that turned up before an attempt, says nothing of that attempt", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, NOT_CREATED);
    await store.settle(REF, news("refused", { id: 9 }));

    await store.claim(by("b"), LEASE);
    await store.end(by("b"), UNKNOWN);

    expect(await stateOf(store)).toBe("unresolved");
  });

  test("is that of the latest attempt, once those of all others are known", async () => {
    const store = await openWithTwo();
    await store.end(ORDER, createdAs("refused", 1));

    await store.settle(REF, news("refused", { id: 2 }));

    expect(await stateOf(store)).toBe("free");
  });

  test("was that of the latest attempt, as the late end of another one shows", async () => {
    const store = await openWithTwo();
    await store.settle(REF, news("refused", { id: 2 }));
    expect(await stateOf(store)).toBe("unresolved");

    await store.end(ORDER, createdAs("refused", 1));

    expect(await stateOf(store)).toBe("free");
  });

  test("is the order's while it may be paid, and accounts for its attempt when it is not any more", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
    await store.resolve(REF, { charged: false });
    await store.settle(REF, news("pending", { id: 1 }));
    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
    await store.settle(REF, news("expired", { id: 1 }));
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), UNKNOWN);

    await store.settle(REF, news("refused", { id: 2 }));

    expect(await stateOf(store)).toBe("free");
  });

  test("stays unclear as long as it may be that of another attempt, whatever becomes of it", async () => {
    const store = await openWithTwo();
    await store.settle(REF, news("pending", { id: 1 }));
    await store.settle(REF, news("approved", { id: 1 }));
    expect(await stateOf(store)).toBe("unresolved");

    await store.settle(REF, news("refused", { id: 2 }));

    expect(await transactionOf(store)).toMatchObject({
      transactionId: 1,
      transaction: { status: "approved" },
    });
  });

  test("that a person took for the latest attempt's, and was another's, leaves the latest one to turn up", async () => {
    const store = await openWithTwo();
    await store.resolve(REF, { transactionId: 1, status: "pending" });
    await store.end(ORDER, createdAs("refused", 1));
    await store.claim(by("c"), LEASE);
    await store.end(by("c"), UNKNOWN);

    await store.settle(REF, news("refused", { id: 2 }));

    expect(await stateOf(store)).toBe("unresolved");
  });

  test("may charge where its answer and its postback contradict each other", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(REF, news("refused"));

    await store.end(ORDER, createdAs("approved"));

    expect(await stateOf(store)).toBe("created");
  });

  test("frees the order when it expires, also while it was said to be processed", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs("processing"));

    await store.settle(REF, news("expired"));

    expect(await stateOf(store)).toBe("free");
  });

  test("alarms nobody in a late answer, where it has expired since", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
    await store.settle(REF, news("expired", { id: 1 }));
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), createdAs("approved", 2));

    expect(await store.end(ORDER, createdAs("pending", 1))).toEqual([]);
  });
});

onEveryStore("an end of a transaction, about another amount than its own,", (open) => {
  describe("is not believed", () => {
    test.each(["refused", "cancelled", "expired"] as const)("where it is the order's: %s", async (status) => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.end(ORDER, createdAs("pending"));

      await store.settle(REF, news(status, { amount: 500 }));

      expect(await stateOf(store)).toBe("created");
    });

    test("where it is another one of the order", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.end(ORDER, createdAs("pending"));
      await store.settle(REF, news("pending", { id: 4 }));

      await store.settle(REF, news("expired", { id: 4, amount: 500 }));
      await store.settle(REF, news("expired", { id: ID }));

      expect(await transactionOf(store)).toMatchObject({ transactionId: 4 });
    });
  });
});
