import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { aReceiverInFakeTime, DUPLICATE, HANDLED, inFakeTime, type Receiver } from "../support/receiver.ts";
import { A, a, aShop } from "../support/shop.ts";

const [SECOND, MINUTE] = [1_000, 60_000];

describe("close() with a callback that takes longer than its timeout", () => {
  const closing = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    const store = memoryStore();
    const [one, other] = [1, 2].map(() => aReceiverInFakeTime({ store })) as [Receiver, Receiver];
    one.onPostback.mockImplementation((_postback, { signal: aborted }) => work(aborted));
    const response = one.post();
    await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalledTimes(1));
    const result = await inFakeTime(one.handler.close({ timeout: SECOND }));
    return { result, response, other, onPostback: one.onPostback };
  };

  test("aborts its signal; if it then throws, another process runs it", async () => {
    const { result, response, other } = await closing(
      (aborted) =>
        new Promise((_, reject) => aborted.addEventListener("abort", () => reject(aborted.reason))),
    );

    expect(result).toEqual({ aborted: 1, unrecorded: 0 });
    expect((await response).status).toBe(500);
    expect(await other.handler.retryFailed()).toEqual({ handled: 1, failed: 0 });
  });

  test("records its success, if it succeeds all the same", async () => {
    const { result, response, other } = await closing(
      (aborted) => new Promise<void>((resolve) => aborted.addEventListener("abort", () => resolve())),
    );

    expect(result).toEqual({ aborted: 1, unrecorded: 0 });
    expect(await response).toEqual(HANDLED);
    expect(await other.post()).toEqual(DUPLICATE);
  });

  test("ends after 5 seconds, and the callback that goes on runs nowhere else", async () => {
    const started = performance.now();
    const gate = aGate();
    const { result, response, other } = await closing(() => gate.passed);
    expect(result).toEqual({ aborted: 1, unrecorded: 1 });
    expect(performance.now() - started).toBeLessThan(8 * SECOND);

    expect((await inFakeTime(other.post())).status).toBe(503);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(other.onPostback).not.toHaveBeenCalled();

    gate.open();
    expect(await inFakeTime(response)).toEqual(HANDLED);
  });
});

test("onNotPaid runs for the order of a process that has ended without a word, once its lease ends", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { post, calls, store, handler } = aShop();
  const order = {
    externalRef: A.externalRef,
    amount: A.amount,
    paymentMethod: "pix",
    owner: "dead",
  } as const;
  await store.claim(order, MINUTE, { heartbeatMs: 10 * SECOND });
  await vi.advanceTimersByTimeAsync(26 * SECOND);
  expect(await store.get(A.externalRef)).toMatchObject({ state: "unresolved" });

  expect(await post(a("expired"))).toBe(503);
  await vi.advanceTimersByTimeAsync(30 * SECOND);
  expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  await handler.retryFailed();

  expect(calls).toEqual(["onNotPaid A"]);
});
