import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { A, a, aShop, B, type Body, b, PAID, recordPayment, WRONG } from "../support/shop.ts";

test.each<[string, Body[], string[]]>([
  ["an approved ships", [a("approved")], ["onPaid A"]],
  ["a repeated approved ships once", [a("approved"), a("approved")], ["onPaid A"]],
  ["another spelling of approved ships nothing", [a("approved"), a("PAID")], ["onPaid A"]],
  ["pending and processing call nothing", [a("pending"), a("processing")], []],
  ["a late pending undoes nothing", [a("approved"), a("pending")], ["onPaid A"]],
  ["a late expired undoes nothing", [a("approved"), a("expired")], ["onPaid A"]],
  ["a wrong amount is reviewed", [a("approved", WRONG)], ["amount_differs A"]],
  ["a wrong amount uses nothing up", [a("approved", WRONG), a("approved")], ["amount_differs A", "onPaid A"]],
  ["a second payment is reviewed", [a("approved"), b("approved")], ["onPaid A", "paid_twice B"]],
  ["the expiry of another transaction undoes nothing", [a("approved"), b("expired")], ["onPaid A"]],
  ["the refund of another transaction undoes nothing", [a("approved"), b("refunded")], ["onPaid A"]],
  [
    "the refund of a second payment undoes nothing",
    [a("approved"), b("approved"), b("refunded")],
    ["onPaid A", "paid_twice B"],
  ],
  [
    "approved after expired is reviewed",
    [a("expired"), a("approved")],
    ["onNotPaid A", "unclear_transition A"],
  ],
  [
    "a refund without a payment is reviewed, and so is the payment after it",
    [a("refunded"), a("approved")],
    ["unclear_transition A", "unclear_transition A"],
  ],
  ["a refund of what was shipped is returned", [a("approved"), a("refunded")], ["onPaid A", "onReturned A"]],
  [
    "each partial refund is returned, and a chargeback after them",
    [a("approved"), a("refunded", 100), a("refunded", 200), a("chargedback")],
    ["onPaid A", "onReturned A", "onReturned A", "onReturned A"],
  ],
  [
    "a refund after a refusal is reviewed",
    [a("refused"), a("refunded")],
    ["onNotPaid A", "unclear_transition A"],
  ],
  [
    "cancelled after approved is reviewed",
    [a("approved"), a("cancelled")],
    ["onPaid A", "unclear_transition A"],
  ],
  ["a refusal is not paid", [a("refused")], ["onNotPaid A"]],
  ["a refusal while another transaction is pending calls nothing", [b("pending"), a("refused")], []],
  ["a refusal after a payment calls nothing", [b("approved"), a("refused")], ["onPaid B"]],
  ["a refused card does not stop the next one", [a("refused"), b("approved")], ["onNotPaid A", "onPaid B"]],
  [
    "an expiry over another amount ends nothing: the payment after it ships",
    [a("expired", WRONG), a("approved")],
    ["amount_differs A", "onPaid A"],
  ],
  ["a transaction that was not paid ends once", [a("refused"), a("expired")], ["onNotPaid A"]],
  [
    "an order whose payment was returned is not unpaid when another transaction expires",
    [a("approved"), a("refunded"), b("expired")],
    ["onPaid A", "onReturned A"],
  ],
  ["an unknown status is reviewed", [a("settled")], ["unrecognized_status A"]],
])("%s", async (_rule, bodies, expected) => {
  const { post, calls } = aShop();

  for (const body of bodies) expect(await post(body)).toBe(200);

  expect(calls).toEqual(expected);
});

test("an unsigned postback is reviewed, and is never kept for a retry", async () => {
  const { post, calls, store, failNext } = aShop();
  expect(await post(A, "https://loja.example/postbacks")).toBe(200);
  failNext();
  expect(await post({ ...A, status: "refunded" }, "https://loja.example/postbacks")).toBe(500);

  expect(calls).toEqual(["unsigned A"]);
  expect(await collect(store.openPostbacks())).toEqual([]);
});

test("the refund of another transaction is a warning", async () => {
  const { post, events } = aShop();
  await post(a("approved"));
  await post(b("refunded"));

  expect(events).toContainEqual(expect.objectContaining({ type: "warning", reason: "other_returned" }));
});

describe("a callback that failed", () => {
  test("is listed without its message, and runs with retryFailed()", async () => {
    const { handler, post, calls, store, failNext } = aShop();
    failNext();
    expect(await post(A)).toBe(500);
    const open = await collect(store.openPostbacks());
    expect(open).toMatchObject([
      { externalRef: A.externalRef, id: A.id, status: "approved", state: "failed", attempts: 1 },
    ]);
    expect(open[0]?.lastError).toEqual({ name: "Error" });

    expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });

    expect(calls).toEqual(["onPaid A"]);
    expect(await collect(store.openPostbacks())).toEqual([]);
    expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });
  });

  test("does not ship if a refund has arrived since", async () => {
    const { handler, post, calls, failNext } = aShop();
    failNext();
    await post(A);
    await post(a("refunded"));

    await handler.retryFailed();

    expect(calls).toEqual(["onReturned A", "unclear_transition A"]);
  });

  test("does not ship if a person has resolved the order otherwise", async () => {
    const { handler, post, calls, store, failNext } = aShop();
    const order = { externalRef: A.externalRef, amount: PAID, paymentMethod: "pix", owner: "a" } as const;
    await store.claim(order, 60_000);
    await store.recordOutcome(order, { outcome: "created", transactionId: A.id });
    failNext();
    await post(A);
    await store.resolve(A.externalRef, { transactionId: A.id, status: "refunded" });

    await handler.retryFailed();

    expect(calls).toEqual(["unclear_transition A"]);
  });

  test("keeps its place: a second payment that arrives in between is reviewed", async () => {
    const { handler, post, calls, failNext } = aShop();
    failNext();
    await post(A);
    await post(B);

    await handler.retryFailed();

    expect(calls).toEqual(["paid_twice B", "onPaid A"]);
  });

  test("ships although a late expiry has arrived since", async () => {
    const { handler, post, calls, failNext } = aShop();
    failNext();
    await post(A);
    await post(a("expired"));

    await handler.retryFailed();

    expect(calls).toEqual(["onPaid A"]);
  });

  test("is not called once the transaction is approved, also over another amount", async () => {
    const { handler, post, calls, failNext } = aShop();
    failNext();
    await post(a("refused"));
    await post(a("approved", WRONG));

    await handler.retryFailed();

    expect(calls).toEqual(["amount_differs A"]);
  });

  test("is run by another process with the same store", async () => {
    const { post, store, failNext } = aShop();
    failNext();
    await post(A);
    const other = aShop(store);

    expect(await other.handler.retryFailed()).toEqual({ handled: 1, failed: 0 });
    expect(other.calls).toEqual(["onPaid A"]);
  });
});

test("an expiry whose callback failed calls nothing once the pix is paid", async () => {
  const { handler, post, calls, failNext } = aShop();
  failNext();
  await post(a("expired"));
  await post(a("pending")); // nothing runs
  await post(A);

  await handler.retryFailed();

  expect(calls).toEqual(["unclear_transition A"]);
});

test("of a flood of signed postbacks whose callback fails, 100 are kept, and a payment is always kept", async () => {
  const { post, store, failNext } = aShop();
  for (let id = 1; id <= 105; id += 1) {
    failNext();
    await post({ ...A, id, status: "refused" });
  }
  failNext();
  await post(A);

  const open = await collect(store.openPostbacks());
  expect(open).toHaveLength(100);
  expect(open.at(-1)).toMatchObject({ id: A.id, status: "approved" });
});

test("of a second payment that no longer fits into the record of its order, the first is still known", async () => {
  const { post, calls, failNext } = aShop();
  await post(A);
  for (let cents = 1; cents <= 100; cents += 1) {
    failNext();
    await post({ ...A, status: "refunded", amount: cents });
  }

  await post(B);

  expect(calls).toEqual(["onPaid A", "paid_twice B"]);
});

test("two payments that arrive in two processes at the same time: one is shipped", async () => {
  const store = memoryStore();
  const [one, other] = [aShop(store), aShop(store)];

  await Promise.all([one.post(A), other.post(B)]);

  const calls = [...one.calls, ...other.calls].map((call) => call.split(" ")[0]).toSorted();
  expect(calls).toEqual(["onPaid", "paid_twice"]);
});

test("a closed handler records what arrives, and starts nothing", async () => {
  const { handler, post, calls, store } = aShop();
  await handler.close();

  expect(await post(A)).toBe(503);

  expect(calls).toEqual([]);
  expect(await collect(store.openPostbacks())).toMatchObject([{ id: A.id, attempts: 0 }]);
});

test("the refund of a pix whose payment was never reported is reviewed", async () => {
  const { post, calls, store } = aShop();
  await recordPayment(store, A);

  await post(a("refunded"));

  expect(calls).toEqual(["unclear_transition A"]);
});

test("a person recorded that another transaction paid, of which only a pending arrived: a payment is reviewed", async () => {
  const { post, calls, store } = aShop();
  await recordPayment(store, B);
  await post(b("pending"));
  await store.resolve(B.externalRef, { transactionId: B.id, status: "approved" });

  await post(A);

  expect(calls).toEqual(["paid_twice A"]);
});

test("the refund of a payment that an earlier process handled is returned, also with a custom store", async () => {
  const { openPostbacks: _open, closePostbacks: _close, get: _get, ...store } = memoryStore();
  await aShop(store).post(a("approved"));
  const { post, calls } = aShop(store);

  await post(a("refunded"));

  expect(calls).toEqual(["onReturned A"]);
});
