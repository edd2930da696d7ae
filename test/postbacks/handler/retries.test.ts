import { join } from "node:path";
import { memoryStore, type PostbackStore, sqliteStore } from "payments-sdk/idempotency";
import type { Postback } from "payments-sdk/postbacks";
import { expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { aGate } from "../../support/http-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  DUPLICATE,
  HANDLED,
  inFakeTime,
  urlOf,
} from "../support/receiver.ts";
import { A, aShop } from "../support/shop.ts";
import { POSTBACK } from "../support/signing.ts";

const [SECOND, MINUTE] = [1_000, 60_000];

const throwing = () => {
  throw new Error("the shop's database is down");
};

/** A receiver whose callback failed for each postback, and does something else from now on. */
async function afterFailuresOf(bodies: readonly object[], work: (postback: Postback) => unknown) {
  const receiver = aReceiverInFakeTime();
  receiver.onPostback.mockImplementation(throwing);
  for (const body of bodies) await inFakeTime(receiver.post({ ...POSTBACK, ...body }));
  receiver.onPostback.mockClear();
  receiver.onPostback.mockImplementation(work);
  return receiver;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const never = () => new Promise<never>(() => {});

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

test("50 failing postbacks have one timer, and ten of their callbacks run at a time, or twenty if they hang", async () => {
  const gate = aGate();
  const orders = numbers(50).map((nth) => ({ externalRef: `order-${nth}` }));
  const { onPostback } = await afterFailuresOf(orders, () => gate.passed);
  expect(vi.getTimerCount()).toBeLessThan(5); // a test before this one may have left some

  await vi.advanceTimersByTimeAsync(25 * SECOND);
  expect(onPostback).toHaveBeenCalledTimes(10);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(20);

  gate.open();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(50);
});

test.each([
  ["fails", () => Promise.reject(new Error("down")), 100],
  ["does not respond", never, 1_500],
])(
  "a postback that is delivered twice while the store %s is handled once it is back",
  async (_how, down, pause) => {
    const store = memoryStore();
    let isDown = true;
    const claimPostback: PostbackStore["claimPostback"] = async (...args) => {
      if (isDown) await new Promise((resolve) => setTimeout(resolve, 200));
      return isDown ? down() : store.claimPostback(...args);
    };
    const { post, onPostback } = aReceiverInFakeTime({ store: { ...store, claimPostback } });

    const first = inFakeTime(post());
    await vi.advanceTimersByTimeAsync(pause);
    const second = inFakeTime(post());
    expect([(await first).status, (await second).status]).toEqual([503, 503]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(10 * SECOND); // the pause of the first, not the lease of the second

    expect(onPostback).toHaveBeenCalledTimes(1);
  },
);

test("while the store is down, the pauses grow to half a minute: no other process may know of the postback", async () => {
  const store = memoryStore();
  const claimPostback = vi.fn<PostbackStore["claimPostback"]>(throwing);
  const { post } = aReceiverInFakeTime({ store: { ...store, claimPostback } });
  await inFakeTime(post());

  await vi.advanceTimersByTimeAsync(60 * MINUTE);

  expect(claimPostback.mock.calls.length).toBeGreaterThan(60);
  expect(claimPostback.mock.calls.length).toBeLessThan(130);

  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE); // no outage
  expect(claimPostback.mock.calls.length).toBeLessThan(150);
});

test("100 deliveries within a minute list the open postbacks once", async () => {
  const store = memoryStore();
  const openPostbacks = vi.fn(store.openPostbacks);
  const { post } = aReceiverInFakeTime({ store: { ...store, openPostbacks } });
  for (let amount = 1; amount <= 100; amount += 1) await inFakeTime(post({ ...POSTBACK, amount }));

  expect(openPostbacks).toHaveBeenCalledTimes(1);
});

test("a postback whose pause was written with a wrong clock runs within an hour", async () => {
  const store = memoryStore();
  const { post, onPostback } = aReceiverInFakeTime({ store });
  const { id, status: rawStatus, amount } = POSTBACK;
  const key = { trust: "signed", externalRef: "order", id, rawStatus, amount } as const;
  await store.claimPostback(key, "a", MINUTE, { signedAmount: amount });
  await store.releasePostback(key, "a", { name: "Error", retryAfterMs: 5 * 24 * 60 * MINUTE });

  await inFakeTime(post()); // lists the open ones
  await vi.advanceTimersByTimeAsync(60 * MINUTE);

  expect(onPostback.mock.calls.map(([{ externalRef }]) => externalRef)).toContain("order");
});

test("a retry that finds the queue of its order full runs later", async () => {
  const { post, onPostback } = aReceiverInFakeTime();
  onPostback.mockImplementationOnce(throwing);
  await inFakeTime(post());
  const gate = aGate();
  onPostback.mockImplementation(() => gate.passed);
  const others = Array.from({ length: 100 }, (_, nth) => post({ ...POSTBACK, id: 7, amount: nth + 1 }));
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  gate.open();
  await inFakeTime(Promise.all(others));
  onPostback.mockClear();

  await vi.advanceTimersByTimeAsync(5 * MINUTE);

  expect(onPostback.mock.calls.map(([{ id }]) => id)).toContain(POSTBACK.id);
});

test("five processes run a callback that fails no more often than one", async () => {
  const store = memoryStore();
  const receivers = numbers(5).map(() => aReceiverInFakeTime({ store }));
  for (const { onPostback } of receivers) {
    onPostback.mockImplementation(({ externalRef }) => externalRef !== "another" && throwing());
  }
  await inFakeTime(receivers[0]?.post() ?? Promise.reject());
  for (let minute = 0; minute < 3 * 60; minute += 1) {
    for (const [nth, { post }] of receivers.entries()) {
      await inFakeTime(post({ ...POSTBACK, externalRef: "another", amount: 1 + minute * 5 + nth }));
    }
    await vi.advanceTimersByTimeAsync(MINUTE);
  }

  const runs = receivers.flatMap(({ onPostback }) => onPostback.mock.calls);
  const failed = runs.filter(([{ externalRef }]) => externalRef === POSTBACK.externalRef);
  expect(failed).toHaveLength(6 + 2); // in the first quarter of an hour, and then hourly
}, 20_000);

test("retryFailed() also runs a postback that the store could not record when it arrived", async () => {
  const store = memoryStore();
  const claimPostback = vi.spyOn(store, "claimPostback").mockImplementation(throwing);
  const { handler, post, onPostback } = aReceiver({ store });
  expect((await post()).status).toBe(503);
  claimPostback.mockRestore();

  expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });

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

test("retryFailed() with a limit runs first what has waited longest for its retry", async () => {
  const { handler, post, onPostback } = aReceiver();
  onPostback.mockImplementation(throwing);
  for (const externalRef of ["bad", "good"])
    await post({ ...POSTBACK, externalRef }, await urlOf(externalRef));
  onPostback.mockImplementation(({ externalRef }) => externalRef === "bad" && throwing());

  await handler.retryFailed({ limit: 1 });

  expect(await handler.retryFailed({ limit: 1 })).toEqual({ handled: 1, failed: 0 });
});

test("retryFailed() lets the process do other work, and stops when its signal aborts", async () => {
  const store = sqliteStore(join(temporaryFolder(), "store.db"));
  onTestFinished(() => store.close());
  const { handler, onPostback } = aReceiver({ store });
  for (let id = 1; id <= 300; id += 1) {
    const key = {
      trust: "signed",
      externalRef: `order-${id}`,
      id,
      rawStatus: "approved",
      amount: 1,
    } as const;
    await store.claimPostback(key, "a", MINUTE, { signedAmount: 1 });
    await store.releasePostback(key, "a", { name: "Error", retryAfterMs: 0 });
  }
  const abort = new AbortController();
  onPostback.mockImplementationOnce(() => void setTimeout(() => abort.abort(), 20));

  await handler.retryFailed({ signal: abort.signal });

  expect(onPostback.mock.calls.length).toBeLessThan(300);
});

test("a retry that hangs does not hold up another payment of the order", async () => {
  const work = ({ id }: Postback) => (id === 1 ? never() : undefined);
  const { onPostback } = await afterFailuresOf([{ id: 1 }, { id: 2 }], work);

  await vi.advanceTimersByTimeAsync(5 * MINUTE);

  expect(onPostback.mock.calls.map(([{ id }]) => id)).toEqual([1, 2]);
});

test("a retry that ends late frees only its own place", async () => {
  const work = () => new Promise((resolve) => setTimeout(resolve, 35 * SECOND));
  const { onPostback } = await afterFailuresOf([{ id: 1 }, { id: 2 }, { id: 3 }], work);

  await vi.advanceTimersByTimeAsync(50 * SECOND);

  expect(onPostback).toHaveBeenCalledTimes(2);
});

test("a retry of what another process handles does not update the record of its order", async () => {
  const store = memoryStore();
  const { handler, post, onPostback } = aReceiver({ store });
  onPostback.mockImplementationOnce(throwing);
  await post();
  vi.spyOn(store, "claimPostback").mockResolvedValue({ state: "busy", isSame: true, leaseLeftMs: MINUTE });
  const recordPostback = vi.spyOn(store, "recordPostback");

  expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });

  expect(recordPostback).not.toHaveBeenCalled();
});

test("of an order, one retry runs at a time, so that a delivery does not wait for all of them", async () => {
  const gate = aGate();
  const { onPostback } = await afterFailuresOf(
    numbers(20).map((id) => ({ id })),
    () => gate.passed,
  );

  await vi.advanceTimersByTimeAsync(25 * SECOND);
  expect(onPostback).toHaveBeenCalledTimes(1);

  gate.open();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(20);
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

test("close() starts no callback of a postback whose order was being read", async () => {
  const store = memoryStore();
  const gate = aGate();
  const get: typeof store.get = (externalRef) => gate.passed.then(() => store.get(externalRef));
  const { post, calls, handler } = aShop({ ...store, get });
  const response = post(A);
  const closing = handler.close();
  gate.open();
  await closing;

  expect(await response).toBe(503);
  expect(calls).toEqual([]);
  expect(await collect(store.openPostbacks())).toMatchObject([{ id: A.id, state: "abandoned" }]);
});

test("a callback that takes longer than maxHandlingMs may end before it runs again, and close() waits for it", async () => {
  const { handler, post, onPostback, events } = aReceiverInFakeTime({ maxHandlingMs: 5 * SECOND });
  onPostback.mockImplementation(() => new Promise((resolve) => setTimeout(resolve, 8 * SECOND)));
  expect((await inFakeTime(post())).status).toBe(500);
  const closing = inFakeTime(handler.close().then(() => performance.now()));

  expect(await closing).toBeGreaterThan(0);

  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(onPostback).toHaveBeenCalledTimes(1);
  expect(events.filter(({ type }) => type === "failed")).toHaveLength(1);
});

test.each<[object, object]>([
  [
    { name: "Error4539578763621486", code: "4539578763621486", message: "ana@example.com" },
    { name: "Error" },
  ],
  [{ name: "ana_11_98888_7777", code: "529.982.247-25" }, { name: "Error" }],
  [{ name: "ana", code: "ana@example.com" }, { name: "Error" }],
  ...["40P01", "ER_DUP_ENTRY", "ERR_HTTP2_STREAM_ERROR", "idempotency_store_failed"].map(
    (code): [object, object] => [
      { name: "TypeError", code },
      { name: "TypeError", code },
    ],
  ),
])(
  "of an error, a store keeps a name and a code, and neither if they may be personal: %j",
  async (fields, kept) => {
    const store = memoryStore();
    const { post, onPostback } = aReceiver({ store });
    onPostback.mockImplementationOnce(() => {
      throw Object.assign(new Error("x"), fields);
    });
    await post();

    const [open] = await collect(store.openPostbacks());
    expect(open?.lastError).toEqual(kept);
    expect(JSON.stringify(open)).not.toMatch(/4539|ana|529/);
  },
);

test("a store that cannot list its open postbacks is a warning with the name and code of the error", async () => {
  const store = memoryStore();
  const openPostbacks = () => {
    throw Object.assign(new Error("of maria@example.com"), { code: "ECONNREFUSED" });
  };
  const { post, events } = aReceiver({ store: { ...store, openPostbacks } });

  expect(await post()).toEqual(HANDLED);

  const message = expect.stringMatching(
    /^The store could not list its open postbacks \(Error, ECONNREFUSED\), [^@]+$/,
  );
  const warning = expect.objectContaining({ reason: "cannot_list", message });
  await vi.waitFor(() => expect(events).toContainEqual(warning));
});

test("on Cloudflare Workers, a store that does not list its postbacks holds up no response for long", async () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  onTestFinished(() => void vi.unstubAllGlobals());
  const openPostbacks = () => ({
    [Symbol.asyncIterator]: () => ({ next: never }),
  });
  const store = { ...memoryStore(), openPostbacks } as unknown as PostbackStore;
  const { post } = aReceiverInFakeTime({ store });
  const before = performance.now();

  expect(await inFakeTime(post())).toEqual(HANDLED);

  expect(performance.now() - before).toBeLessThan(15 * SECOND);
});

test("a custom store without openPostbacks() that failed once is not busy for the next delivery", async () => {
  const { openPostbacks: _open, closePostbacks: _close, ...store } = memoryStore();
  const { post } = aReceiverInFakeTime({ store });
  vi.spyOn(store, "claimPostback").mockImplementationOnce(throwing);
  expect((await inFakeTime(post())).status).toBe(503);

  expect(await inFakeTime(post())).toEqual(HANDLED);
});

test("a custom store without openPostbacks() that lost a claim is asked for it again", async () => {
  const { openPostbacks: _open, closePostbacks: _close, ...store } = memoryStore();
  const { post, onPostback } = aReceiverInFakeTime({ store });
  let signal: AbortSignal | undefined;
  onPostback.mockImplementationOnce(async (_postback, context) => {
    ({ signal } = context);
    const [key, owner] = vi.mocked(store.claimPostback).mock.calls[0] ?? [];
    if (key && owner) await store.releasePostback(key, owner); // as if the store had lost it
    await new Promise((resolve) => setTimeout(resolve, 10 * SECOND));
  });
  vi.spyOn(store, "claimPostback");

  expect(await inFakeTime(post())).toEqual(HANDLED);

  expect(signal?.aborted).toBe(false);
  expect(store.claimPostback).toHaveBeenCalledTimes(2);
});

test("a callback that has failed for a day is a warning, once a day", async () => {
  const { post, onPostback, events } = aReceiverInFakeTime();
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
