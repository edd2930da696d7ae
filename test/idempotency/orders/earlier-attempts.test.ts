import { describe, expect, test } from "vitest";
import {
  by,
  createdAs,
  LEASE,
  listed,
  NOT_CREATED,
  news,
  ORDER,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;
const FIRST = 1;
const SECOND = 2;
const DEAD = ["refused", "expired", "cancelled"] as const;

onEveryStore("a signed postback of an earlier attempt", (open) => {
  /** The first attempt ended with a transaction that charged nobody; the second is on its way. */
  async function openSecondAttempt() {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs("pending", FIRST));
    await store.settle(REF, news("expired", { id: FIRST }));
    await store.claim(by("b"), LEASE);
    return store;
  }

  test.each(["pending", "expired", "approved", "refused"] as const)(
    "says nothing of the one that is on its way: %s",
    async (status) => {
      const store = await openSecondAttempt();

      await store.settle(REF, news(status, { id: FIRST }));

      expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "claimed" });
      expect(await store.renew(by("b"), LEASE)).toBe(true);
    },
  );

  test("says nothing of the one of which nobody knows how it ended", async () => {
    const store = await openSecondAttempt();
    await store.end(by("b"), UNKNOWN);

    for (const status of DEAD) await store.settle(REF, news(status, { id: FIRST }));

    expect(await stateOf(store)).toBe("unresolved");
    expect(await listed(store)).toMatchObject([{ attempt: 2, earlierIds: [FIRST] }]);
  });

  test("says nothing of the one that has a transaction", async () => {
    const store = await openSecondAttempt();
    await store.end(by("b"), createdAs("approved", SECOND));

    for (const status of DEAD) await store.settle(REF, news(status, { id: FIRST }));

    expect(await transactionOf(store)).toMatchObject({ transactionId: SECOND });
  });

  test("is of an earlier one, too, where it is of the earliest of many", async () => {
    const store = await open();
    for (let id = 1; id <= 5; id += 1) {
      await store.claim(by(`owner-${id}`), LEASE);
      await store.end(by(`owner-${id}`), createdAs("refused", id));
    }
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);

    await store.settle(REF, news("refused", { id: 1 }));

    expect(await listed(store)).toMatchObject([{ attempt: 6, earlierIds: [1, 2, 3, 4, 5] }]);
  });

  describe("that was paid after it had expired", () => {
    test("blocks a free order", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.end(ORDER, createdAs("expired", FIRST));

      await store.settle(REF, news("approved", { id: FIRST }));

      expect(await transactionOf(store)).toMatchObject({ transactionId: FIRST });
    });

    test("blocks the order, once the attempt on its way has charged nobody", async () => {
      const store = await openSecondAttempt();
      await store.settle(REF, news("approved", { id: FIRST }));

      await store.end(by("b"), NOT_CREATED);

      expect(await transactionOf(store)).toMatchObject({ transactionId: FIRST });
    });

    test("is told, when the attempt on its way has charged somebody", async () => {
      const store = await openSecondAttempt();
      await store.settle(REF, news("approved", { id: FIRST }));

      expect(await store.end(by("b"), createdAs("approved", SECOND))).toEqual([FIRST]);
    });
  });
});
