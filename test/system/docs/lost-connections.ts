import { randomUUID } from "node:crypto";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { expect } from "vitest";
import { by, LEASE } from "../../idempotency/support/orders.ts";
import type { SilentProxy } from "../../support/silent-proxy.ts";

/** Longer than the limits of the documented clients, and shorter than the timeout of a create call. */
const BOUND_MS = 12_000;

/**
 * A client that loses its connections fails the calls that wait in bounded time, claims nothing later, and works again,
 * while a shop goes on calling it. An `error` event without a listener fails the run.
 *
 * @param endConnections - Ends all connections of the client, at the server.
 */
export async function expectRecovery(
  store: PaymentsStore,
  proxy: SilentProxy,
  endConnections: () => Promise<unknown>,
): Promise<void> {
  const references = Array.from({ length: 1_000 }, () => randomUUID());
  let count = 0;
  const claim = () => {
    count += 1;
    return store.claim(by("a", references[count]), LEASE);
  };
  const isWorking = () =>
    claim().then(
      () => true,
      () => false,
    );
  await Promise.all([claim(), claim(), claim()]);

  await endConnections();
  await expect.poll(isWorking, { timeout: 5_000 }).toBe(true);

  proxy.silence();
  const start = performance.now();
  const first = count + 1;
  const calls: Promise<unknown>[] = [];
  // A client that writes all the time must notice it, too.
  const timer = setInterval(() => calls.push(expect(claim()).rejects.toThrow()), 200);
  try {
    await expect(claim()).rejects.toThrow();
  } finally {
    clearInterval(timer);
  }
  expect(performance.now() - start).toBeLessThan(BOUND_MS);
  await Promise.all(calls);
  const last = count;

  proxy.revive();
  await expect.poll(isWorking, { timeout: BOUND_MS, interval: 200 }).toBe(true);
  for (const reference of references.slice(first, last + 1))
    await expect.poll(() => store.get(reference).catch(String), { timeout: BOUND_MS }).toBeUndefined();
}
