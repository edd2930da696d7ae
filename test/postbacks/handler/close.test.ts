import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  DUPLICATE,
  HANDLED,
  inFakeTime,
  type Receiver,
  urlOf,
} from "../support/receiver.ts";
import { A, a, aShop, callOf } from "../support/shop.ts";
import { POSTBACK } from "../support/signing.ts";

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

test("close() waits for a delivery whose body is still being sent, and records it for another process", async () => {
  const store = memoryStore();
  const [one, other] = [aReceiver({ store }), aReceiver({ store })];
  const { readable, writable } = new TransformStream<Uint8Array>();
  const request = new Request(await urlOf(), {
    method: "POST",
    body: readable,
    duplex: "half",
  } as RequestInit);
  const response = one.handler.fetch(request);

  const closing = one.handler.close();
  expect(
    await Promise.race([closing, new Promise<void>((resolve) => setImmediate(() => resolve()))]),
  ).toBeUndefined();
  const sender = writable.getWriter();
  await sender.write(new TextEncoder().encode(JSON.stringify(POSTBACK)));
  await sender.close();

  expect(await closing).toEqual({ aborted: 0, unrecorded: 0 });
  expect((await response).status).toBe(503);
  expect(one.onPostback).not.toHaveBeenCalled();
  expect(await other.handler.retryFailed()).toEqual({ handled: 1, failed: 0 });
});

describe("close() reports what the store", () => {
  const never = () => new Promise<never>(() => undefined);
  const fails = async () => {
    throw new Error("away");
  };

  test.each<[string, Partial<PaymentsStore>, () => unknown]>([
    ["has not claimed", { claimPostback: never }, () => undefined],
    ["has not confirmed", { confirmPostback: never }, () => undefined],
    ["could not release", { releasePostback: fails }, fails],
  ])("%s", async (_what, broken, work) => {
    const { handler, onPostback, post } = aReceiverInFakeTime({ store: { ...memoryStore(), ...broken } });
    onPostback.mockImplementation(work);
    void post();
    await vi.advanceTimersByTimeAsync(100);

    expect(await inFakeTime(handler.close({ timeout: SECOND }))).toMatchObject({ unrecorded: 1 });
  });

  test("could not release, however many", async () => {
    const store = { ...memoryStore(), releasePostback: fails };
    const { handler, onPostback, post } = aReceiverInFakeTime({ store });
    onPostback.mockImplementation(fails);
    const ids = Array.from({ length: 120 }, (_, n) => n + 1);
    const posts = ids.map((id) => post({ ...POSTBACK, id, externalRef: `order-${id}` }));
    await inFakeTime(Promise.all(posts));

    expect(await inFakeTime(handler.close({ timeout: SECOND }))).toEqual({ aborted: 0, unrecorded: 120 });
  });
});

test("onNotPaid runs for the order of a process that has ended without a word, once its lease ends", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { post, calls, store, handler } = aShop();
  await store.claim(callOf("dead"), MINUTE, { heartbeatMs: 10 * SECOND });
  await vi.advanceTimersByTimeAsync(26 * SECOND);
  expect(await store.get(A.externalRef)).toMatchObject({ state: "unresolved" });

  expect(await post(a("expired"))).toBe(503);
  await vi.advanceTimersByTimeAsync(30 * SECOND);
  expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  await handler.retryFailed();

  expect(calls).toEqual(["onNotPaid A"]);
});
