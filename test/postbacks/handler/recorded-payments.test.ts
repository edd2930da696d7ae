import { memoryStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { aReceiver, DUPLICATE, HANDLED } from "../support/receiver.ts";
import { A, a, aShop, B, type Body, b, PAID, recordPayment, WRONG } from "../support/shop.ts";

// What the record of an order says about its payment, beside what postbacks say.

const REF = A.externalRef;

test.each(["refused", "cancelled", "expired"] as const)(
  "a payment that a person recorded as %s while its callback failed is reviewed, and the record is kept",
  async (status) => {
    const { store, handler, post, calls, failNext } = aShop();
    await recordPayment(store, A);
    failNext();
    await post(A);
    await store.resolve(REF, { transactionId: A.id, status });

    expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });

    expect(calls).toEqual(["unclear_transition A"]);
    expect(await store.get(REF)).toMatchObject({ state: "free", lastStatus: status, unchargedIds: [A.id] });
  },
);

test("a payment that a person recorded as cancelled before is reviewed, also if the review has to run twice", async () => {
  const { store, handler, post, calls, failNext } = aShop();
  await recordPayment(store, A);
  await store.resolve(REF, { transactionId: A.id, status: "cancelled" });
  failNext();
  expect(await post(A)).toBe(500);
  expect(await store.get(REF)).toMatchObject({ transaction: { id: A.id, status: "approved" } }); // no second charge

  await handler.retryFailed();

  expect(calls).toEqual(["unclear_transition A"]);
});

test.each(["failed", "succeeded"])(
  "a postback that is delivered again after its callback %s does not undo what a person recorded since",
  async (result) => {
    const { store, post, calls, failNext } = aShop();
    await recordPayment(store, A);
    if (result === "failed") failNext();
    await post(A);
    await store.resolve(REF, { transactionId: A.id, status: "cancelled" });

    expect(await post(A)).toBe(200);

    expect(calls).toEqual([result === "failed" ? "unclear_transition A" : "onPaid A"]);
    expect(await store.get(REF)).toMatchObject({ state: "free", lastStatus: "cancelled" });
  },
);

test.each(["recordPostback", "get"] as const)(
  "a payment after an expiry is recorded, also if %s failed when it arrived: no second pix is sent",
  async (method) => {
    const store = memoryStore();
    let isDown = false;
    const failing = {
      ...store,
      [method]: (...args: never[]) => {
        if (isDown) throw new Error("down");
        return (store[method] as (...all: never[]) => unknown)(...args);
      },
    };
    const { handler, post, calls } = aShop(failing);
    await recordPayment(store, A);
    await post(a("expired"));
    isDown = true;
    expect(await post(A)).toBe(503);
    isDown = false;

    await handler.retryFailed();

    expect(calls).toEqual(["onNotPaid A", "unclear_transition A"]);
    expect(await store.get(REF)).toMatchObject({ state: "created", transaction: { status: "approved" } });
  },
);

test("a refund that a person corrected stays corrected when its postback is repeated", async () => {
  const { store, post } = aShop();
  await recordPayment(store, A);
  await post(A);
  await post(a("refunded"));
  await store.resolve(REF, { transactionId: A.id, status: "approved" });

  expect(await post(a("refunded"))).toBe(200);

  expect(await store.get(REF)).toMatchObject({ transaction: { status: "approved" } });
});

test.each<[string, Body[], boolean]>([
  ["a refund whose first run fails", [a("refunded")], true],
  ["a refund, and then a chargeback", [a("refunded"), a("chargedback")], false],
])(
  "%s, of a payment that was never reported, is reviewed, and does not pay for the order",
  async (_rule, bodies, fails) => {
    const { store, handler, post, calls, failNext } = aShop();
    await recordPayment(store, A);
    if (fails) failNext();
    for (const body of bodies) await post(body);
    await handler.retryFailed();

    await post(B);

    const reviews = bodies.map(() => "unclear_transition A");
    expect(calls.slice(0, -1)).toEqual(reviews);
    expect(calls.at(-1)).not.toBe("onReturned A");
  },
);

test("a record that the store has lost is repaired by a repeated postback", async () => {
  const { store, post, calls } = aShop();
  await post(A);
  await recordPayment(store, A); // after the postback
  expect(await store.get(REF)).toMatchObject({ transaction: { status: "pending" } });

  expect(await post(A)).toBe(200);

  expect(await store.get(REF)).toMatchObject({ transaction: { status: "approved" } });
  expect(calls).toEqual(["onPaid A"]);
});

test.each([
  ["an order without its fields", { earlierIds: undefined, possibleDuplicates: undefined }],
  ["an order with a duplicate that is null", { possibleDuplicates: [null] }],
])("a custom store that returns %s", async (_rule, fields) => {
  const store = memoryStore();
  const get = async (externalRef: string) => ({ ...(await store.get(externalRef)), ...fields }) as never;
  const { post, calls } = aShop({ ...store, get });
  const order = { externalRef: REF, amount: PAID, paymentMethod: "pix", owner: "caller" } as const;
  await store.claim(order, 60_000);

  await expect(post(a("refused"))).resolves.toBe(503); // the call is in flight
  expect(await post(B)).toBe(200);

  expect(calls).toEqual(["onPaid B"]);
});

test("with onPostback, a repeated postback does not undo what a person recorded since", async () => {
  const store = memoryStore();
  await recordPayment(store, A);
  const { post, onPostback } = aReceiver({ store });
  onPostback.mockImplementationOnce(() => {
    throw new Error("the shop's database is down");
  });
  await post();
  await store.resolve(REF, { transactionId: A.id, status: "cancelled" });

  expect(await post()).toEqual(HANDLED);
  expect(await post()).toEqual(DUPLICATE);

  expect(await store.get(REF)).toMatchObject({ state: "free", lastStatus: "cancelled" });
});

test("the refund of a card that a person recorded as refunded is returned", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A, "approved", "credit_card");
  await store.resolve(REF, { transactionId: A.id, status: "refunded" });

  await post(a("refunded"));

  expect(calls).toEqual(["onReturned A"]);
});

test("a wrong amount that a person recorded as paid in full is the payment of its order", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A);
  await post(a("approved", WRONG));
  await store.resolve(REF, { transactionId: A.id, status: "approved" });

  await post(B);
  await post(a("refunded"));

  expect(calls).toEqual(["amount_differs A", "paid_twice B", "onReturned A"]);
});

test("a record that could not be read makes no transaction the payment of its order", async () => {
  const store = memoryStore();
  let isDown = true;
  const get: typeof store.get = async (externalRef) => {
    if (isDown) throw new Error("down");
    return store.get(externalRef);
  };
  const { handler, post, calls } = aShop({ ...store, get });
  await recordPayment(store, B, "approved", "credit_card");
  expect(await post(A)).toBe(503);
  isDown = false;
  await handler.retryFailed();

  for (const postback of [B, a("refunded"), b("refunded")]) await post(postback);

  expect(calls).toEqual(["paid_twice A", "onPaid B", "onReturned B"]);
});

test("a refusal that arrives while its create call is in flight calls onNotPaid once the call has ended", async () => {
  const { store, handler, post, calls } = aShop();
  const order = { externalRef: REF, amount: PAID, paymentMethod: "credit_card", owner: "caller" } as const;
  await store.claim(order, 60_000);
  expect(await post(a("refused"))).toBe(503);
  expect(calls).toEqual([]);
  await store.recordOutcome(order, { outcome: "unknown" });

  expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });

  expect(calls).toEqual(["onNotPaid A"]);
});

test("a payment after one that a person recorded as cancelled is reviewed, but not as the second", async () => {
  const { store, handler, post, calls, failNext } = aShop();
  await recordPayment(store, A);
  failNext();
  await post(A);
  await store.resolve(REF, { transactionId: A.id, status: "cancelled" });
  await handler.retryFailed();
  await recordPayment(store, B);

  await post(B);

  expect(calls).toEqual(["unclear_transition A", "unclear_transition B"]);
});

test("a payment whose expiry is recorded, but arrived after it, is paid", async () => {
  const { store, handler, post, calls } = aShop();
  await recordPayment(store, A);
  const key = { trust: "signed", externalRef: REF, id: A.id, rawStatus: "approved", amount: PAID } as const;
  await store.claimPostback(key, "dies", 60_000, { signedAmount: PAID });
  await store.releasePostback(key, "dies"); // as if its lease were over
  await post(a("expired"));

  await handler.retryFailed();

  expect(calls).toEqual(["onPaid A"]);
});

test("a payment of a refused card is reviewed, and so is its refund", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A, "refused", "credit_card");
  await post(a("refunded"));
  await post(A);

  expect(calls).toEqual(["unclear_transition A", "unclear_transition A"]);
});

test("a card that was approved at once is the payment of its order", async () => {
  const { store, post, calls, events } = aShop();
  await recordPayment(store, A, "approved", "credit_card");

  for (const postback of [B, b("refunded"), A, a("chargedback")]) await post(postback);

  expect(calls).toEqual(["paid_twice B", "onPaid A", "onReturned A"]);
  expect(events).toContainEqual(
    expect.objectContaining({ reason: "other_returned", postback: expect.anything() }),
  );
});

test("a card that was approved at once and charged back stays the payment of its order", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A, "approved", "credit_card");

  await post(a("chargedback"));
  await post(B);

  expect(calls).toEqual(["onReturned A", "paid_twice B"]);
});

test("a pix that a person recorded as paid is the payment of its order", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A);
  await store.resolve(REF, { transactionId: A.id, status: "approved" });

  for (const postback of [B, b("refunded"), a("refunded", 100), a("chargedback")]) await post(postback);

  expect(calls).toEqual(["paid_twice B", "onReturned A", "onReturned A"]);
});

test("a cancelled postback of a card that was approved at once is reviewed, a late expired one is not", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A, "approved", "credit_card");

  await post(a("expired"));
  await post(a("cancelled"));

  expect(calls).toEqual(["unclear_transition A"]);
});

test("the chargeback of a wrong amount that a person accepted is reviewed", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A);

  await post(a("approved", WRONG));
  await post(a("chargedback", WRONG));

  expect(calls).toEqual(["amount_differs A", "unclear_transition A"]);
});

test("a transaction over the right amount replaces the record of one over a wrong amount", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A);

  await post(a("approved", WRONG));
  await post(B);

  expect(calls).toEqual(["amount_differs A", "onPaid B"]);
  expect(await store.get(REF)).toMatchObject({ transactionId: B.id, transaction: { status: "approved" } });
});

test("a store that does not record postbacks ships an order that its record still shows as pending", async () => {
  const { recordPostback: _record, ...store } = memoryStore();
  await recordPayment({ ...memoryStore(), ...store }, A);
  const { post, calls } = aShop(store);

  await post(A);

  expect(calls).toEqual(["onPaid A"]);
});

test("a possible duplicate that was approved without a postback is another payment", async () => {
  const store = memoryStore();
  await recordPayment(store, A);
  const get = async (externalRef: string) =>
    ({ ...(await store.get(externalRef)), possibleDuplicates: [{ id: B.id, status: "approved" }] }) as never;
  const { post, calls } = aShop({ ...store, get });

  await post(A);

  expect(calls).toEqual(["paid_twice A"]);
});

test("a pix that was expired, and the pix after it, call onNotPaid each", async () => {
  const { store, post, calls } = aShop();
  await recordPayment(store, A);
  await post(a("expired"));
  await recordPayment(store, B);
  await post(b("expired"));

  expect(calls).toEqual(["onNotPaid A", "onNotPaid B"]);
});

test("a record that cannot be read does not lose a postback", async () => {
  const store = memoryStore();
  let isDamaged = true;
  const get: typeof store.get = async (externalRef) => {
    if (isDamaged) throw new TypeError("not a record");
    return store.get(externalRef);
  };
  const { handler, post, calls } = aShop({ ...store, get });
  expect(await post(A)).toBe(503);
  isDamaged = false;

  expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });

  expect(calls).toEqual(["onPaid A"]);
});

test.each([
  ["no record is null", { get: async () => null }],
  ["no winner is null", { winner: null, recorded: [] }],
  ["an order without its postbacks", {}],
])("a custom store in which %s", async (_rule, result) => {
  const store = memoryStore();
  const claimPostback: typeof store.claimPostback = async (...args) => {
    const claim = await store.claimPostback(...args);
    return (claim.state === "yours" ? { ...claim, order: result } : claim) as typeof claim;
  };
  const { post, calls } = aShop(
    "get" in result ? { ...store, ...(result as object) } : { ...store, claimPostback },
  );

  expect(await post(A)).toBe(200);

  expect(calls).toEqual(["onPaid A"]);
});

test("a shipped payment is not shipped again after a flood of other transactions", async () => {
  const { post, calls } = aShop();
  for (let id = 1; id <= 301; id += 1) await post({ ...A, id, status: "pending" });

  for (const postback of [
    A,
    { ...A, id: 5_000, status: "pending" },
    A,
    { ...A, id: 5_001, status: "pending" },
    A,
  ]) {
    await post(postback);
  }

  expect(calls).toEqual(["onPaid A"]);
});
