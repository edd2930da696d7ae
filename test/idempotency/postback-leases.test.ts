import { expect, test } from "vitest";
import { claimed, KEY, LEASE, pause, takeOver } from "./support/postbacks.ts";
import { onEverySharedStore, onEveryStore } from "./support/stores.ts";

onEveryStore("a postback", (open) => {
  test("that was confirmed is done, for ever", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);

    expect(await store.confirmPostback(KEY, "a")).toBe(true);

    await pause(5);
    expect(await store.claimPostback(KEY, "b", LEASE)).toEqual({ state: "done" });
    expect(await store.confirmPostback(KEY, "a")).toBe(false);
    await store.releasePostback(KEY, "a");
    expect(await store.claimPostback(KEY, "b", LEASE)).toEqual({ state: "done" });
  });

  test("is free again when the lease has ended", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 10);

    expect(await takeOver(store, KEY, "b")).toEqual(claimed());
    expect(await store.claimPostback(KEY, "a", LEASE)).toMatchObject({ state: "busy" });
  });

  test("keeps its claimant as long as the lease is renewed", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 10);

    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(true);

    await pause(15);
    expect(await store.claimPostback(KEY, "b", LEASE)).toMatchObject({ state: "busy" });
  });

  test("is confirmed after the lease has ended, where nobody else came", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await pause(5);

    expect(await store.confirmPostback(KEY, "a")).toBe(true);
  });

  test("that somebody else claimed is not renewed, confirmed or released by the one before", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await takeOver(store, KEY, "b");

    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
    expect(await store.confirmPostback(KEY, "a")).toBe(false);
    await store.releasePostback(KEY, "a");

    expect(await store.claimPostback(KEY, "c", LEASE)).toMatchObject({ state: "busy" });
    expect(await store.confirmPostback(KEY, "b")).toBe(true);
  });

  test("is confirmed by the one before, where the one after has given it back: it did succeed", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await takeOver(store, KEY, "b");
    await store.releasePostback(KEY, "b");

    expect(await store.confirmPostback(KEY, "a")).toBe(true);
    expect(await store.claimPostback(KEY, "c", LEASE)).toEqual({ state: "done" });
  });

  test("is confirmed by the one before, where the lease of the one after has ended, too", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await takeOver(store, KEY, "b", 1);
    await pause(5);

    expect(await store.confirmPostback(KEY, "a")).toBe(true);
    expect(await store.confirmPostback(KEY, "b")).toBe(false);
  });

  test("that another one confirmed meanwhile is not held any more by the one after, once it ends", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await takeOver(store, KEY, "b", 1);
    await pause(5);
    await store.confirmPostback(KEY, "a");
    expect(await store.renewPostback(KEY, "b", LEASE)).toBe(true);

    expect(await store.confirmPostback(KEY, "b")).toBe(false);

    expect(await store.claimPostback({ ...KEY, rawStatus: "refunded" }, "c", LEASE)).toEqual(
      claimed(["approved", 1990]),
    );
  });

  test("whose lease has ended is not renewed once another of its transaction is claimed", async () => {
    const store = await open();
    const other = { ...KEY, rawStatus: "refunded" };
    await store.claimPostback(KEY, "a", 1);
    await takeOver(store, other, "b");

    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
    expect(await store.confirmPostback(KEY, "a")).toBe(true); // it did succeed
    expect(await store.confirmPostback(other, "b")).toBe(true);
  });

  test("that nobody claimed is neither renewed nor released", async () => {
    const store = await open();

    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
    await store.releasePostback(KEY, "a");
    expect(await store.claimPostback(KEY, "a", LEASE)).toEqual(claimed());
  });

  test("does not wait for one of its transaction that was released, or whose lease has ended", async () => {
    const store = await open();
    const other = { ...KEY, rawStatus: "refunded" };
    await store.claimPostback(KEY, "a", LEASE);
    await store.releasePostback(KEY, "a");
    await store.claimPostback({ ...KEY, rawStatus: "pending" }, "b", 5);

    expect(await takeOver(store, other, "c")).toEqual(claimed());
  });
});

onEverySharedStore("the owner of a lease that seems to have ended", (open) => {
  test("may still renew it once another one asks, since the store may have been away", async () => {
    const store = await (await open()).store();
    await store.claimPostback(KEY, "a", 300);
    await pause(310);

    const first = await store.claimPostback(KEY, "b", LEASE);
    expect(first).toMatchObject({ state: "busy", isSame: true, isOverdue: true });
    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(true);
    await pause(310);

    const claim = await store.claimPostback(KEY, "b", LEASE);
    expect(claim).toEqual({ state: "busy", isSame: true, leaseLeftMs: expect.any(Number) });
  });

  test("has five seconds for that at most, and never more than its lease was", async () => {
    const store = await (await open()).store();
    await store.claimPostback(KEY, "a", 50);
    await store.claimPostback({ ...KEY, id: 2 }, "a", 1);
    await pause(60);

    const { leaseLeftMs } = (await store.claimPostback(KEY, "b", LEASE)) as { leaseLeftMs: number };
    expect(leaseLeftMs).toBe(50);
    expect(await takeOver(store, { ...KEY, id: 2 }, "b")).toEqual(claimed());
  });
});
