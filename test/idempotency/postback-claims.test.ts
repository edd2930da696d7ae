import type { PostbackClaim } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { claimed, KEY, LEASE } from "./support/postbacks.ts";
import { onEveryStore } from "./support/stores.ts";

onEveryStore("a postback", (open) => {
  test("that is free becomes its claimant's", async () => {
    const store = await open();

    expect(await store.claimPostback(KEY, "a", LEASE)).toEqual(claimed());
  });

  test("that is claimed is busy, and tells how long the lease lasts", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", LEASE);

    const claim = await store.claimPostback(KEY, "b", LEASE);

    expect(claim).toEqual({ state: "busy", isSame: true, leaseLeftMs: expect.any(Number) });
    const { leaseLeftMs } = claim as { leaseLeftMs: number };
    expect(leaseLeftMs).toBeGreaterThan(LEASE - 5_000);
    expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
  });

  test("that is claimed is busy for its own claimant, too", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", LEASE);

    expect(await store.claimPostback(KEY, "a", LEASE)).toMatchObject({ state: "busy" });
  });

  test("that was released is free", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", LEASE);

    await store.releasePostback(KEY, "a");

    expect(await store.claimPostback(KEY, "b", LEASE)).toEqual(claimed());
  });

  test("comes with all that were handled of its transaction", async () => {
    const store = await open();
    for (let amount = 1; amount <= 120; amount += 1) {
      await store.claimPostback({ ...KEY, amount }, "a", LEASE);
      await store.confirmPostback({ ...KEY, amount }, "a");
    }

    const { handled } = (await store.claimPostback(KEY, "b", LEASE)) as Extract<
      PostbackClaim,
      { state: "claimed" }
    >;

    expect(handled.map(({ amount }) => amount)).toEqual(Array.from({ length: 120 }, (_, at) => 1 + at));
  });

  test.each([
    ["transaction", { ...KEY, id: 81_002 }],
    ["order", { ...KEY, externalRef: "order-2" }],
    ["trust", { ...KEY, trust: "unsigned" as const }],
  ])("of another %s is claimed beside it", async (_what, other) => {
    const store = await open();
    await store.claimPostback(KEY, "a", LEASE);

    expect(await store.claimPostback(other, "b", LEASE)).toEqual(claimed());
    expect(await store.confirmPostback(other, "b")).toBe(true);
    expect(await store.claimPostback(KEY, "c", LEASE)).toMatchObject({ state: "busy" });
  });

  test.each([
    ["status", { ...KEY, rawStatus: "refunded" }],
    ["spelling of the status", { ...KEY, rawStatus: "APPROVED" }],
    ["amount", { ...KEY, amount: 990 }],
    ["status with spaces and quotes", { ...KEY, rawStatus: "1990 'approved'\"" }],
  ])(
    "of the same transaction and another %s is another one, whose turn comes afterwards",
    async (_what, other) => {
      const store = await open();
      await store.claimPostback(KEY, "a", LEASE);

      const early = await store.claimPostback(other, "b", LEASE);
      await store.confirmPostback(KEY, "a");

      expect(early).toEqual({ state: "busy", isSame: false, leaseLeftMs: expect.any(Number) });
      expect(await store.claimPostback(other, "b", LEASE)).toEqual(claimed(["approved", 1990]));
      expect(await store.confirmPostback(other, "b")).toBe(true);
      expect(await store.claimPostback(other, "c", LEASE)).toEqual({ state: "done" });
    },
  );

  test("that is done says so, also while another of its transaction is claimed", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", LEASE);
    await store.confirmPostback(KEY, "a");
    await store.claimPostback({ ...KEY, rawStatus: "refunded" }, "b", LEASE);

    expect(await store.claimPostback(KEY, "c", LEASE)).toEqual({ state: "done" });
  });

  test("comes with what was handled of its transaction, in that order", async () => {
    const store = await open();
    const others = [
      { ...KEY, rawStatus: "refunded", amount: 500 },
      { ...KEY, rawStatus: "pending" },
      { ...KEY, rawStatus: "refunded", amount: 700 },
    ];
    for (const key of others) {
      await store.claimPostback(key, "a", LEASE);
      await store.confirmPostback(key, "a");
    }
    await store.claimPostback({ ...KEY, rawStatus: "processing" }, "a", LEASE);
    await store.releasePostback({ ...KEY, rawStatus: "processing" }, "a"); // never handled
    const foreign = [
      { ...KEY, id: 5 },
      { ...KEY, externalRef: "order-2" },
      { ...KEY, trust: "unsigned" as const },
    ];
    for (const key of foreign) {
      await store.claimPostback(key, "a", LEASE);
      await store.confirmPostback(key, "a");
    }

    expect(await store.claimPostback(KEY, "b", LEASE)).toEqual(
      claimed(["refunded", 500], ["pending", 1990], ["refunded", 700]),
    );
  });

  test("goes to one of many who claim it at once", async () => {
    const store = await open();

    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, at) => store.claimPostback(KEY, `owner-${at}`, LEASE)),
    );

    expect(claims.filter(({ state }) => state === "claimed")).toHaveLength(1);
    expect(claims.filter(({ state }) => state === "busy")).toHaveLength(49);
  });

  test("may have an id and an amount of 2^53 - 1", async () => {
    const store = await open();
    const most = { ...KEY, id: Number.MAX_SAFE_INTEGER, rawStatus: "x", amount: Number.MAX_SAFE_INTEGER };
    await store.claimPostback(most, "a", LEASE);
    await store.confirmPostback(most, "a");

    expect(await store.claimPostback(most, "b", LEASE)).toEqual({ state: "done" });
    expect(await store.claimPostback({ ...most, amount: most.amount - 1 }, "b", LEASE)).toEqual(
      claimed(["x", Number.MAX_SAFE_INTEGER]),
    );
  });
});
