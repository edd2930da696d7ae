import { expect, test } from "vitest";
import {
  by,
  createdAs,
  LEASE,
  leaseEnds,
  listed,
  ORDER,
  STATES,
  type StateName,
  stateOf,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

onEveryStore("a lease", (open) => {
  test.each<[StateName, boolean]>([
    ["that nobody claimed", false],
    ["that is free again", false],
    ["that is claimed", true],
    ["whose lease has ended", false], // somebody may have been told so already
    ["that is unresolved", false],
    ["that is created", false],
  ])("of an order %s is renewed: %s", async (state, expected) => {
    const store = await open();
    await STATES[state](store);

    expect(await store.renew(ORDER, LEASE)).toBe(expected);
  });

  test("that is renewed begins anew, with the length that was asked for", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    await store.renew(ORDER, 3 * LEASE);

    const { leaseLeftMs } = (await store.claim(by("b"), LEASE)) as { leaseLeftMs: number };
    expect(leaseLeftMs).toBeGreaterThan(2 * LEASE);
    expect(leaseLeftMs).toBeLessThanOrEqual(3 * LEASE);
  });

  test("that is renewed for a moment ends after it", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    expect(await store.renew(ORDER, 1)).toBe(true);

    await leaseEnds(store);
  });

  test("is not renewed by anybody else", async () => {
    const store = await open();
    await store.claim(ORDER, LEASE);

    expect(await store.renew(by("b"), 3 * LEASE)).toBe(false);
    const { leaseLeftMs } = (await store.claim(by("c"), LEASE)) as { leaseLeftMs: number };
    expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
  });

  test("is not renewed by the one before, once somebody else has the order", async () => {
    const store = await open();
    await store.claim(ORDER, 1);
    await leaseEnds(store);
    await store.resolve(ORDER.externalRef, { charged: false });
    await store.claim(by("b"), LEASE);

    expect(await store.renew(ORDER, LEASE)).toBe(false);
    expect(await store.renew(by("b"), LEASE)).toBe(true);
  });

  test("that has ended never makes an order free, and it is listed", async () => {
    const store = await open();
    await store.claim(ORDER, 1);
    await leaseEnds(store);

    expect(await store.renew(ORDER, LEASE)).toBe(false);
    expect(await store.claim(ORDER, LEASE)).toEqual({ state: "unresolved" });
    expect(await listed(store)).toMatchObject([{ externalRef: "order-1", reason: "no_end" }]);
  });

  test("that has ended does not keep its owner from saying how it ended", async () => {
    const store = await open();
    await store.claim(ORDER, 1);
    await leaseEnds(store);

    expect(await store.end(ORDER, createdAs())).toEqual([]);
    expect(await stateOf(store)).toBe("created");
  });
});
