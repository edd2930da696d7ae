import type { AttemptEnd } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  aTransaction,
  createdAs,
  ID,
  LEASE,
  listed,
  news,
  ORDER,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;

onEveryStore("a signed postback that outruns the answer", (open) => {
  test("keeps the order created, with all that the answer said", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(REF, news("pending"));

    expect(await store.end(ORDER, createdAs("approved"))).toEqual([]);

    const { transaction } = await transactionOf(store);
    expect(transaction).toEqual(aTransaction({ status: "approved", rawStatus: "approved" }));
  });

  describe.each(["pending", "processing", "unrecognized"] as const)("of a pix that is %s", (status) => {
    test("leaves it claimed until the answer brings the code to pay by", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.settle(REF, news(status));

      expect(await stateOf(store)).toBe("claimed");
      expect(await listed(store)).toEqual([]);
      await store.end(ORDER, createdAs("pending"));
      expect((await transactionOf(store)).transaction).toMatchObject({
        pix: { qrcodeText: "00020101021226" },
      });
    });

    test("leaves it claimed until the call says that there was no answer", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.settle(REF, news(status));

      await store.end(ORDER, UNKNOWN);

      expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
    });

    test("leaves it claimed until the lease ends", async () => {
      const store = await open();
      await store.claim(ORDER, 300);
      await store.settle(REF, news(status));

      await expect.poll(() => stateOf(store), { interval: 20 }).toBe("created");
    });
  });

  test("of a card is its result at once", async () => {
    const store = await open();
    const order = { ...ORDER, paymentMethod: "credit_card", installments: "1" } as const;
    await store.claim(order, LEASE);

    await store.settle(REF, news("processing"));

    expect(await transactionOf(store, order)).toMatchObject({ transactionId: ID });
  });

  test.each(["approved", "refunded", "chargedback"] as const)(
    "is its result at once, where it is %s",
    async (status) => {
      const store = await open();
      await store.claim(ORDER, LEASE);

      await store.settle(REF, news(status));

      expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
    },
  );

  describe.each(["refused", "cancelled", "expired"] as const)("of one that is %s", (status) => {
    test("lets nobody else send before the call has ended", async () => {
      const store = await open();
      await store.claim(ORDER, LEASE);

      await store.settle(REF, news(status));

      expect(await stateOf(store)).toBe("claimed");
      expect(await store.renew(ORDER, LEASE)).toBe(true);
    });

    test.each<[string, AttemptEnd]>([
      ["with its answer, which came late", createdAs("pending")],
      ["with its answer", createdAs(status)],
      ["without one", UNKNOWN],
    ])("frees the order, once the call ends %s", async (_what, end) => {
      const store = await open();
      await store.claim(ORDER, LEASE);
      await store.settle(REF, news(status));

      expect(await store.end(ORDER, end)).toEqual([]);

      expect(await stateOf(store)).toBe("free");
    });

    test("frees the order, once the lease ends", async () => {
      const store = await open();
      await store.claim(ORDER, 300);
      await store.settle(REF, news(status));

      await expect.poll(() => stateOf(store), { interval: 20 }).toBe("free");
    });
  });

  test("keeps the order's claim from being renewed: there is nothing to send any more", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);
    await store.settle(REF, news("approved"));

    expect(await store.renew(ORDER, LEASE)).toBe(false);
  });
});
