import { postgresStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { by, createdAs, ID, LEASE, ORDER } from "../support/orders.ts";
import { migratedSchema } from "./support/schema.ts";

/** An order that is claimed, by a clock of the database that was set by so much since. */
async function claimedBefore(clockChange: string) {
  const client = await (await migratedSchema()).client();
  const store = postgresStore(client);
  await store.claim(ORDER, LEASE);
  await client.query("UPDATE payments_orders SET changed_at = changed_at - $1::interval", [clockChange]);
  return store;
}

describe("with a clock of the database that is set", () => {
  test.each([
    ["an hour back, the claim lasts", "-1 hour", { state: "claimed", leaseLeftMs: expect.any(Number) }],
    ["a minute on, the lease has ended", "61 seconds", { state: "unresolved" }],
    ["years on, the lease has ended", "30 years", { state: "unresolved" }],
    ["years back, no lease is believed any more", "-30 years", { state: "unresolved" }],
  ])("%s, and nobody else may send the order", async (_what, change, expected) => {
    const store = await claimedBefore(change);

    expect(await store.claim(by("b"), LEASE)).toEqual(expected);
  });

  test.each([["-30 years"], ["-1 hour"], ["30 years"]])(
    "by %s, its owner may still say how the sending ended",
    async (change) => {
      const store = await claimedBefore(change);

      await store.end(ORDER, createdAs());

      expect(await store.claim(by("b"), LEASE)).toMatchObject({ state: "created", transactionId: ID });
    },
  );
});

test("a lease begins anew when it is renewed, by the clock of the database", async () => {
  const store = await claimedBefore("50 seconds");

  await store.renew(ORDER, LEASE);

  const { leaseLeftMs } = (await store.claim(by("b"), LEASE)) as { leaseLeftMs: number };
  expect(leaseLeftMs).toBeGreaterThan(LEASE - 20_000);
});

test("the clock of a process does not matter", async () => {
  const store = postgresStore(await (await migratedSchema()).pool());
  await store.claim(ORDER, LEASE);

  vi.spyOn(Date, "now").mockReturnValue(Date.parse("2080-01-01T00:00:00Z"));
  const claim = await store.claim(by("b"), LEASE);

  expect(claim).toMatchObject({ state: "claimed" });
  expect((claim as { leaseLeftMs: number }).leaseLeftMs).toBeLessThanOrEqual(LEASE);
});
