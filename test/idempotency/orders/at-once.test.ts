import type { PaymentsStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  listed,
  news,
  ORDER,
  STATES,
  stateOf,
  transactionOf,
  UNKNOWN,
} from "../support/orders.ts";
import { onEverySharedStore, onEveryStore } from "../support/stores.ts";

const REF = ORDER.externalRef;
const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);

function claimAll(stores: readonly PaymentsStore[], count: number) {
  return Promise.all(
    numbers(count).map(async (nth) => {
      const store = stores[nth % stores.length] as PaymentsStore;
      return (await store.claim(by(`owner-${nth}`), LEASE)).state;
    }),
  );
}

onEveryStore("at once", (open) => {
  test("ten claim an order that nobody claimed: one gets it", async () => {
    const store = await open();

    const states = await claimAll([store], 10);

    expect(states.toSorted()).toEqual([...Array(9).fill("claimed"), "yours"]);
  });

  test("ten claim an order that is free again: one gets it", async () => {
    const store = await open();
    await STATES["that is free again"](store);

    const states = await claimAll([store], 10);

    expect(states.toSorted()).toEqual([...Array(9).fill("claimed"), "yours"]);
  });

  test("ten claim ten orders: each gets its own", async () => {
    const store = await open();

    const claims = await Promise.all(
      numbers(10).map((nth) => store.claim({ ...by(`o-${nth}`), externalRef: `order-${nth}` }, LEASE)),
    );

    expect(claims).toEqual(Array(10).fill({ state: "yours" }));
  });

  test("an end and its postback: neither undoes the other", async () => {
    const store = await open();
    for (const nth of numbers(10)) {
      const order = { ...ORDER, externalRef: `order-${nth}`, owner: `o-${nth}` };
      await store.claim(order, LEASE);
      const both = [
        () => store.end(order, createdAs("pending")),
        () => store.settle(order.externalRef, news("approved")),
      ];

      await Promise.all((nth % 2 === 0 ? both : both.toReversed()).map((action) => action()));

      const { transaction } = await transactionOf(store, order);
      expect(transaction).toMatchObject({ status: "approved", pix: { qrcodeText: expect.any(String) } });
    }
  });

  test("ten postbacks of ten transactions: each is remembered", async () => {
    const store = await open();
    await STATES["that is claimed"](store);

    await Promise.all(numbers(10).map((nth) => store.settle(REF, news("approved", { id: nth + 1 }))));

    const rivals = await store.end(ORDER, createdAs("approved", ID));
    expect(rivals.toSorted((one, other) => Number(one) - Number(other))).toEqual(
      numbers(10).map((nth) => nth + 1),
    );
  });

  test("two people resolve an order: both are told the same, or one is refused", async () => {
    const store = await open();
    await STATES["that is unresolved"](store);

    const [first, second] = await Promise.allSettled([
      store.resolve(REF, { transactionId: 1, status: "approved" }),
      store.resolve(REF, { transactionId: 2, status: "approved" }),
    ]);

    expect([first.status, second.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    const id = first.status === "fulfilled" ? 1 : 2;
    expect(await transactionOf(store)).toMatchObject({ transactionId: id });
  });

  test("a renewal and a claim: the order stays its owner's", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    const [isHeld, claim] = await Promise.all([store.renew(ORDER, LEASE), store.claim(by("b"), LEASE)]);

    expect([isHeld, claim.state]).toEqual([true, "claimed"]);
  });
});

onEverySharedStore("between processes, at once,", (database) => {
  test("ten claim an order through four stores: one gets it", async () => {
    const { store } = await database();
    const stores = await Promise.all(numbers(4).map(() => store()));

    const states = await claimAll(stores, 10);

    expect(states.toSorted()).toEqual([...Array(9).fill("claimed"), "yours"]);
  });

  test("what one does the other sees", async () => {
    const { store } = await database();
    const [one, other] = [await store(), await store()];
    await one.claim(ORDER, LEASE);

    expect(await stateOf(other)).toBe("claimed");
    await one.end(ORDER, UNKNOWN);
    expect(await listed(other)).toHaveLength(1);
    await other.settle(REF, news("approved"));
    expect(await transactionOf(one)).toMatchObject({ transactionId: ID });
  });

  test("one ends what the other has settled meanwhile: what each knew is kept", async () => {
    const { store } = await database();
    const [one, other] = [await store(), await store()];
    await one.claim(ORDER, LEASE);
    await other.settle(REF, news("approved"));

    await one.end(ORDER, createdAs("pending"));

    const { transaction } = await transactionOf(other);
    expect(transaction).toMatchObject({ status: "approved", pix: { qrcodeText: expect.any(String) } });
  });

  test("each of ten settles another order through a store of its own, while all are ended", async () => {
    const { store } = await database();
    const orders = numbers(10).map((nth) => ({ ...ORDER, externalRef: `order-${nth}`, owner: `o-${nth}` }));
    const [one, other] = [await store(), await store()];
    await Promise.all(orders.map((order) => one.claim(order, LEASE)));

    await Promise.all(
      orders.flatMap((order) => [
        one.end(order, createdAs("pending")),
        other.settle(order.externalRef, news("expired")),
      ]),
    );

    const states = await Promise.all(orders.map((order) => stateOf(one, order)));
    expect(states).toEqual(Array(10).fill("free"));
  });
});
