import { memoryStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { aReceiverInFakeTime } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const LEASE = 60_000;

/** A store with a postback that a process has claimed before it died. */
async function withDeadProcess() {
  const { id, status: rawStatus, amount, externalRef } = POSTBACK;
  const store = memoryStore();
  const key = { trust: "signed", externalRef, id, rawStatus, amount } as const;
  const receiver = aReceiverInFakeTime({ store, leaseMs: LEASE });
  await store.claimPostback(key, "dead", LEASE, { signedAmount: amount });
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
