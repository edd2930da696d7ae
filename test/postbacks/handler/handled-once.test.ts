import { memoryStore, type PostbackStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { timersLeftBy } from "../../support/timers-left.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  BUSY,
  DUPLICATE,
  FAILED,
  HANDLED,
  inFakeTime,
  type Reply,
} from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test.each([
  ["transaction", { id: 81_002 }, HANDLED],
  ["spelling of the status", { status: "PAID" }, HANDLED],
  ["amount", { amount: 100 }, HANDLED],
  ["date", { transactionDate: "2026-03-01T12:32:00.000Z" }, DUPLICATE],
])("a postback with another %s: %j", async (_what, other, reply) => {
  const { post, onPostback } = aReceiver();
  const another = { ...POSTBACK, ...other };

  const replies = [await post(), await post(), await post(another), await post(another)];

  expect(replies).toEqual([HANDLED, DUPLICATE, reply, DUPLICATE]);
  expect(onPostback).toHaveBeenCalledTimes(reply === HANDLED ? 2 : 1);
});

test("while onPostback runs, its lease is renewed, and repeats get a 503 with Retry-After", async () => {
  const { post, onPostback } = aReceiverInFakeTime({ leaseMs: 10_000 });
  onPostback.mockImplementationOnce(() => pause(35_000));
  const first = post();
  await inFakeTime(pause(30_000));

  expect(await inFakeTime(post())).toEqual(BUSY("10"));

  expect(await inFakeTime(first)).toEqual(HANDLED);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("concurrent repeats of a handled postback are all duplicates", async () => {
  const store = memoryStore();
  const claimPostback: PostbackStore["claimPostback"] = async (...args) => {
    await pause(20); // like a database over a network
    return store.claimPostback(...args);
  };
  const { post } = aReceiver({ store: { ...store, claimPostback } });
  await post();

  expect(await Promise.all(Array.from({ length: 20 }, () => post()))).toEqual(
    Array<Reply>(20).fill(DUPLICATE),
  );
});

test("a handled or failed postback leaves no timer behind", async () => {
  const { post, onPostback } = aReceiverInFakeTime();
  let during = 0;
  onPostback.mockImplementation(() => {
    during = vi.getTimerCount();
  });
  onPostback.mockRejectedValueOnce(new Error("no"));

  const left = await timersLeftBy(async () => {
    await inFakeTime(post());
    await inFakeTime(post());
  });

  expect(during).toBeGreaterThan(0);
  expect(left).toBe(0);
});

test("a process that waits for another one queries less and less often", async () => {
  const store = memoryStore();
  const one = aReceiverInFakeTime({ store });
  const gate = aGate();
  one.onPostback.mockReturnValueOnce(gate.passed);
  const first = one.post();
  await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
  const claims = vi.spyOn(store, "claimPostback");
  const other = aReceiverInFakeTime({ store, timeout: 4_000 });

  expect(await inFakeTime(other.post({ ...POSTBACK, status: "refunded" }))).toEqual(BUSY("10"));

  expect(claims.mock.calls.length).toBeGreaterThan(5);
  expect(claims.mock.calls.length).toBeLessThan(16);
  gate.open();
  expect(await first).toEqual(HANDLED);
});

describe("an onPostback that hangs", () => {
  test("causes one warning after 30 seconds, or after a shorter lease", async () => {
    const { post, onPostback, events } = aReceiverInFakeTime({ leaseMs: 10_000 });
    onPostback.mockImplementationOnce(() => pause(50_000));

    const first = post();
    await inFakeTime(pause(9_000));
    expect(events).toEqual([]);
    await inFakeTime(pause(40_000));

    const warning = {
      type: "warning",
      reason: "slow_handler",
      postback: { id: POSTBACK.id },
      possibleDuplicates: [],
    };
    expect(events).toMatchObject([warning]);
    expect(await inFakeTime(first)).toEqual(HANDLED);
  });

  test("fails after maxHandlingMs: its signal is aborted, and the next delivery runs it again", async () => {
    const { post, onPostback, events } = aReceiver({ maxHandlingMs: 50 });
    onPostback.mockReturnValueOnce(new Promise(() => undefined));

    expect(await post()).toEqual(FAILED);
    expect(onPostback.mock.calls[0]?.[1].signal.aborted).toBe(true);
    expect(events).toMatchObject([
      { type: "failed", status: 500, error: { message: "onPostback did not end within 50 ms." } },
    ]);

    expect(await post()).toEqual(HANDLED);
    expect(onPostback.mock.calls[1]?.[1].signal.aborted).toBe(false);
  });

  test("is recorded if it succeeds after maxHandlingMs, unless another delivery ran meanwhile", async () => {
    const { post, onPostback } = aReceiver({ maxHandlingMs: 50 });
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    expect(await post()).toEqual(FAILED);

    gate.open();

    await vi.waitFor(async () => expect(await post()).toEqual(DUPLICATE));
    expect(onPostback).toHaveBeenCalledTimes(1);
  });
});
