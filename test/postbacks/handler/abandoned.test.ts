import { memoryStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { aReceiverInFakeTime } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const LEASE = 60_000;
const { id, status: rawStatus, amount, externalRef } = POSTBACK;
const KEY = { trust: "signed", externalRef, id, rawStatus, amount } as const;

/** A store with a postback that a process has claimed before it died. */
async function withDeadProcess() {
  const store = memoryStore();
  const receiver = aReceiverInFakeTime({ store, leaseMs: LEASE });
  await store.claimPostback(KEY, "dead", LEASE, { signedAmount: amount });
  return { ...receiver, store };
}

test("a postback whose process died runs when its lease is over, although no delivery follows a restart", async () => {
  const { handler, onPostback } = await withDeadProcess();

  expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });
  await vi.advanceTimersByTimeAsync(LEASE - 100);
  expect(onPostback).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);

  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("a delivery of another order is enough for it", async () => {
  const { post, onPostback } = await withDeadProcess();

  await post({ ...POSTBACK, externalRef: "other" });
  await vi.advanceTimersByTimeAsync(LEASE + 2_000);

  expect(onPostback.mock.calls.map(([{ externalRef }]) => externalRef)).toEqual([
    "other",
    POSTBACK.externalRef,
  ]);
});

test("a callback that ends its process runs again with the pauses of one that fails, however often processes start", async () => {
  const { handler, onPostback, store } = await withDeadProcess();
  const starts: number[] = [0];

  for (let minutes = 2; minutes < 6 * 60; minutes += 2) {
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    const [open] = await collect(store.openPostbacks());
    const attempts = (open?.attempts ?? 0) - 1; // as a process that has just started
    const { state } = await store.claimPostback(KEY, `dead ${minutes}`, LEASE, { attempts });
    if (state === "yours") starts.push(minutes);
  }
  expect(starts).toEqual([0, 2, 4, 6, 8, 18, 78, 138, 198, 258, 318]);

  expect(await handler.retryFailed()).toEqual({ handled: 0, failed: 0 });
  expect(onPostback).not.toHaveBeenCalled();
});

test("a person is warned each day of a callback that ends its process, before it runs", async () => {
  const { handler, events } = await withDeadProcess();
  await vi.advanceTimersByTimeAsync(25 * 60 * 60_000);

  await handler.retryFailed();

  expect(events).toMatchObject([{ type: "warning", reason: "keeps_failing" }, { type: "handled" }]);
});

test("a postback that failed often, and whose process died once, runs as soon as the lease is over", async () => {
  const store = memoryStore();
  const { handler, onPostback } = aReceiverInFakeTime({ store, leaseMs: LEASE });
  for (let failures = 0; failures < 8; failures += 1) {
    await store.claimPostback(KEY, "fails", LEASE, { signedAmount: amount });
    await store.releasePostback(KEY, "fails", { name: "Error", retryAfterMs: 60 * 60_000 });
  }
  await store.claimPostback(KEY, "dies", LEASE, { signedAmount: amount });
  await vi.advanceTimersByTimeAsync(LEASE + 1);

  expect(await handler.retryFailed()).toEqual({ handled: 1, failed: 0 });
  expect(onPostback).toHaveBeenCalledTimes(1);
});
