import { expect, test } from "vitest";
import { by, createdAs, LEASE, listed, ORDER, openStore, pass, REF, refusalOf } from "./support/orders.ts";

/** The process of a claim renews its lease. If it no longer does, that shows; nothing else depends on it. */

const HEARTBEAT = 10_000;

async function claimed() {
  const store = openStore();
  await store.claim(ORDER, LEASE, { heartbeatMs: HEARTBEAT });
  return store;
}

test("an order whose heartbeats have stopped is listed, and waits for its lease", async () => {
  const store = await claimed();
  pass(2 * HEARTBEAT);
  expect(await store.get(REF)).toMatchObject({ state: "claimed" });
  expect(await listed(store)).toEqual([]);

  pass(HEARTBEAT);

  expect(await store.get(REF)).toMatchObject({ state: "unresolved", reason: "not_reported" });
  expect(await store.getMany([REF])).toMatchObject([{ state: "unresolved" }]);
  expect(await listed(store)).toMatchObject([{ externalRef: REF, reason: "not_reported" }]);
  expect(await store.stats()).toMatchObject({ orders: { claimed: 0, unresolved: 1 } });
  const claim = { state: "claimed", leaseLeftMs: LEASE - 3 * HEARTBEAT };
  expect(await store.claim(by("b"), LEASE)).toEqual(claim);
  expect(await store.claim(by("b"), LEASE, { replaceLost: true })).toEqual(claim);
  expect(await refusalOf(store, { charged: false })).toBe("outcome_pending");

  await store.recordOutcome(ORDER, createdAs());
  expect(await store.get(REF)).toMatchObject({ state: "created" });
});

test("an order with heartbeats stays claimed, and its lease ends as early", async () => {
  const store = await claimed();
  for (let passed = HEARTBEAT; passed <= 5 * HEARTBEAT; passed += HEARTBEAT) {
    pass(HEARTBEAT);
    expect(await store.renew(ORDER, LEASE - passed)).toBe(true);
    expect(await store.get(REF)).toMatchObject({ state: "claimed" });
  }

  pass(HEARTBEAT);

  expect(await store.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
  expect(await store.claim(by("b"), LEASE, { replaceLost: true })).toEqual({ state: "yours" });
});
