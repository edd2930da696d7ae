import { memoryStore, type PostbackStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../../../src/idempotency/testing/fixtures.ts";
import { aGate } from "../../support/http-server.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  DUPLICATE,
  HANDLED,
  inFakeTime,
  urlOf,
} from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const [SECOND, MINUTE] = [1_000, 60_000];

const throwing = () => {
  throw new Error("the shop's database is down");
};

test("a callback that fails runs again after 1 s, 5 s, 30 s, 2 min, 10 min, and then every hour", async () => {
  const { post, onPostback, events } = aReceiverInFakeTime();
  onPostback.mockImplementation(throwing);
  await inFakeTime(post());
  const start = performance.now();
  const pauses: number[] = [];

  for (const _ of [1, 2, 3, 4, 5, 6, 7]) {
    const runs = onPostback.mock.calls.length;
    const before = performance.now();
    while (onPostback.mock.calls.length === runs) await vi.advanceTimersByTimeAsync(500);
    pauses.push(Math.round((performance.now() - before) / SECOND));
  }

  expect(performance.now()).toBeGreaterThan(start);
  expect(pauses).toEqual([1, 5, 30, 120, 600, 3_600, 3_600]);
  expect(events.at(-1)).toMatchObject({ type: "failed", status: 500, isRetry: true });
});

test("50 failing postbacks have one timer, and ten of their callbacks run at a time", async () => {
  const { post, onPostback } = aReceiverInFakeTime();
  onPostback.mockImplementation(throwing);
  for (let nth = 1; nth <= 50; nth += 1) await inFakeTime(post({ ...POSTBACK, externalRef: `order-${nth}` }));
  expect(vi.getTimerCount()).toBeLessThan(5); // a test before this one may have left some
  const gate = aGate();
  onPostback.mockClear();
  onPostback.mockImplementation(() => gate.passed);

  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(10);

  gate.open();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(50);
});

test("a postback that the store could not record when it arrived is handled once the store is back", async () => {
  const store = memoryStore();
  let isDown = true;
  const claimPostback: PostbackStore["claimPostback"] = async (...args) =>
    isDown ? throwing() : store.claimPostback(...args);
  const { post, onPostback } = aReceiverInFakeTime({ store: { ...store, claimPostback } });
  expect((await inFakeTime(post())).status).toBe(503);
  isDown = false;

  await vi.advanceTimersByTimeAsync(2 * MINUTE);

  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("a custom store that cannot keep open postbacks: this process retries, and warns once", async () => {
  const { openPostbacks: _open, closePostbacks: _close, ...store } = memoryStore();
  const { post, onPostback, events } = aReceiverInFakeTime({ store });
  onPostback.mockImplementationOnce(throwing);
  await inFakeTime(post());
  await vi.advanceTimersByTimeAsync(2 * SECOND);

  expect(onPostback).toHaveBeenCalledTimes(2);
  expect(await inFakeTime(post())).toEqual(DUPLICATE);
  expect(events.filter(({ type }) => type === "warning")).toMatchObject([{ reason: "no_inbox" }]);
});

test("on Cloudflare Workers, no timer is set: the next delivery runs what is due, before its response", async () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  onTestFinished(() => void vi.unstubAllGlobals());
  const now = vi.spyOn(Date, "now");
  onTestFinished(() => now.mockRestore());
  const store = memoryStore();
  const { post, onPostback } = aReceiverInFakeTime({ store });
  onPostback.mockImplementation(throwing);
  await inFakeTime(post());
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(1);
  onPostback.mockReset();
  now.mockReturnValue(Date.now() + MINUTE);

  await inFakeTime(post({ ...POSTBACK, externalRef: "another" }));

  expect(onPostback.mock.calls.map(([{ externalRef }]) => externalRef)).toEqual([
    "another",
    POSTBACK.externalRef,
  ]);
  expect(await collect(store.openPostbacks())).toEqual([]);
});

test("retryFailed() takes a limit and a signal, and does not count what another process runs", async () => {
  const store = memoryStore();
  const { handler, post, onPostback } = aReceiver({ store });
  onPostback.mockImplementation(throwing);
  for (const externalRef of ["a", "b", "c"]) {
    await post({ ...POSTBACK, externalRef }, await urlOf(externalRef));
  }
  expect(await handler.retryFailed({ signal: AbortSignal.abort() })).toEqual({ handled: 0, failed: 0 });
  expect(await handler.retryFailed({ limit: 1 })).toEqual({ handled: 0, failed: 1 });
  onPostback.mockReset();
  const gate = aGate();
  onPostback.mockImplementationOnce(() => gate.passed);
  const other = aReceiver({ store });

  const running = handler.retryFailed({ limit: 1 });
  await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));
  expect(await other.handler.retryFailed()).toEqual({ handled: 2, failed: 0 });
  gate.open();

  expect(await running).toEqual({ handled: 1, failed: 0 });
  expect(await collect(store.openPostbacks())).toEqual([]);
  await expect(handler.retryFailed({ limit: 0 })).rejects.toThrow("limit must be a whole number above zero.");
});

test("retryFailed() runs all postbacks of a transaction, one after the other, oldest first", async () => {
  const { handler, post, onPostback } = aReceiver();
  onPostback.mockImplementationOnce(throwing).mockImplementationOnce(throwing);
  await post();
  await post({ ...POSTBACK, status: "refunded" });
  onPostback.mockClear();

  expect(await handler.retryFailed()).toEqual({ handled: 2, failed: 0 });

  expect(onPostback.mock.calls.map(([{ status }]) => status)).toEqual(["approved", "refunded"]);
});

test("close() waits for what runs, and starts nothing", async () => {
  const { handler, post, onPostback } = aReceiver();
  const gate = aGate();
  onPostback.mockImplementationOnce(() => gate.passed);
  const response = post();
  await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));
  let isClosed = false;
  const closing = handler.close().then(() => {
    isClosed = true;
  });
  expect((await post({ ...POSTBACK, id: 7 })).status).toBe(503);
  expect(isClosed).toBe(false);

  gate.open();
  await closing;

  expect(await response).toEqual(HANDLED);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("of an error, a store keeps only a name and a code, and neither if they hold digits of a card", async () => {
  const store = memoryStore();
  const { post, onPostback } = aReceiver({ store });
  const secret = { name: "Error4539578763621486", code: "4539578763621486", message: "ana@example.com" };
  onPostback.mockImplementationOnce(() => {
    throw Object.assign(new Error("x"), secret);
  });
  await post();

  const [open] = await collect(store.openPostbacks());
  expect(open?.lastError).toEqual({ name: "Error" });
  expect(JSON.stringify(open)).not.toMatch(/4539|ana@/);
});

test("a callback that has failed for a day is a warning, once a day", async () => {
  const { post, onPostback, events } = aReceiverInFakeTime();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  onPostback.mockImplementation(throwing);
  await inFakeTime(post());

  await vi.advanceTimersByTimeAsync(50 * 60 * MINUTE);

  const warnings = events.filter(({ type }) => type === "warning");
  expect(warnings).toMatchObject([{ reason: "keeps_failing" }, { reason: "keeps_failing" }]);
});

test("context.signal aborts when another process has taken over the postback", async () => {
  const store = memoryStore();
  const { post, onPostback } = aReceiverInFakeTime({ store });
  let signal: AbortSignal | undefined;
  onPostback.mockImplementationOnce(async (_postback, context) => {
    ({ signal } = context);
    vi.spyOn(store, "renewPostback").mockResolvedValue(false);
    vi.spyOn(store, "claimPostback").mockResolvedValue({ state: "busy", isSame: true, leaseLeftMs: MINUTE });
    await new Promise((resolve) => setTimeout(resolve, MINUTE));
  });

  await inFakeTime(post());

  expect(signal?.aborted).toBe(true);
});
