import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alteredStore, byPix, merchantWithStore } from "../support/merchant-with-store.ts";

/** The client's timeout is 5 s, and the lease is 30 s longer. */
const LEASE_MS = 35_000;
const HEARTBEAT_MS = 10_000;
const BODY = '{"success":true,"data":{"id":4021,"pix":{"qrcodeText":"00020101"}}}';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
});
afterEach(() => void vi.useRealTimers());

interface Changes {
  readonly renew?: PaymentsStore["renew"];
  readonly onClaimed?: () => unknown;
}

/** A create call whose response takes some time, during which `meanwhile` is called. */
async function createDuring(meanwhile: () => unknown, changes: Changes = {}) {
  const store = memoryStore();
  const renew = vi.fn(changes.renew ?? store.renew);
  const claim: PaymentsStore["claim"] = async (...args) => {
    const claimed = await store.claim(...args);
    changes.onClaimed?.();
    return claimed;
  };
  const fetch = async () => {
    await meanwhile();
    return new Response(BODY, { status: 201 });
  };
  const { payments } = await merchantWithStore([], { store: alteredStore({ claim, renew }, store), fetch });
  const transaction = await byPix(payments);
  return { transaction, store, renewals: renew.mock.calls.map(([, leaseMs]) => leaseMs) };
}

test("a quick call does not renew its lease", async () => {
  const { renewals } = await createDuring(() => vi.advanceTimersByTimeAsync(HEARTBEAT_MS - 1));

  expect(renewals).toEqual([]);
});

test("a call in flight renews what is left of its lease, until it ends", async () => {
  const { renewals, store } = await createDuring(() => vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS));
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS);

  expect(renewals).toEqual([LEASE_MS - HEARTBEAT_MS, LEASE_MS - 2 * HEARTBEAT_MS]);
  expect(vi.getTimerCount()).toBe(0);
  expect(await store.get("order-1")).toMatchObject({ state: "created" });
});

test("a wall clock that is set forward does not shorten the lease of a call in flight", async () => {
  const { renewals } = await createDuring(() => vi.advanceTimersByTimeAsync(HEARTBEAT_MS), {
    onClaimed: () => vi.setSystemTime(Date.now() + 14_000),
  });

  expect(renewals).toEqual([LEASE_MS - HEARTBEAT_MS]);
});

test("a lease that is over is not renewed", async () => {
  const { renewals } = await createDuring(() => vi.advanceTimersByTimeAsync(LEASE_MS + HEARTBEAT_MS));

  expect(renewals).toHaveLength(3);
});

test.each<[string, () => Promise<boolean>]>([
  ["fails", () => Promise.reject(new Error("away"))],
  ["is refused", async () => false],
])("a call whose heartbeat %s returns its result", async (_what, renew) => {
  const { transaction, renewals } = await createDuring(() => vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS), {
    renew,
  });

  expect(transaction).toMatchObject({ id: 4021 });
  expect(renewals).toHaveLength(2);
});

test("a store that does not respond gets one heartbeat at a time", async () => {
  const renew = () => new Promise<never>(() => undefined);

  const { renewals } = await createDuring(() => vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS), { renew });

  expect(renewals).toHaveLength(1);
});

test("heartbeats do not keep the process alive", async () => {
  vi.useRealTimers();
  const set = vi.spyOn(globalThis, "setInterval");

  await createDuring(() => undefined);

  expect(set.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
});
