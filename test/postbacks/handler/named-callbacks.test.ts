import { memoryStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { A, a, aShop, b } from "../support/shop.ts";

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

test("a callback that failed is listed without its message, and another process runs it with retryFailed()", async () => {
  const { post, store, failNext } = aShop();
  const { handler, calls } = aShop(store);
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

test("the refund of a payment that an earlier process handled is returned, also with a custom store", async () => {
  const { openPostbacks: _open, closePostbacks: _close, get: _get, ...store } = memoryStore();
  await aShop(store).post(a("approved"));
  const { post, calls } = aShop(store);

  await post(a("refunded"));

  expect(calls).toEqual(["onReturned A"]);
});
