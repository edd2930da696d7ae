import { expect, test } from "vitest";
import { claimed, KEY, LEASE, pause } from "./support/postbacks.ts";
import { onEveryStore } from "./support/stores.ts";

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
    await pause(15);

    expect(await store.claimPostback(KEY, "b", LEASE)).toEqual(claimed());
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
    await pause(5);
    await store.claimPostback(KEY, "b", LEASE);

    expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
    expect(await store.confirmPostback(KEY, "a")).toBe(false);
    await store.releasePostback(KEY, "a");

    expect(await store.claimPostback(KEY, "c", LEASE)).toMatchObject({ state: "busy" });
    expect(await store.confirmPostback(KEY, "b")).toBe(true);
  });

  test("is confirmed by the one before, where the one after has given it back: it did succeed", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await pause(5);
    await store.claimPostback(KEY, "b", LEASE);
    await store.releasePostback(KEY, "b");

    expect(await store.confirmPostback(KEY, "a")).toBe(true);
    expect(await store.claimPostback(KEY, "c", LEASE)).toEqual({ state: "done" });
  });

  test("is confirmed by the one before, where the lease of the one after has ended, too", async () => {
    const store = await open();
    await store.claimPostback(KEY, "a", 1);
    await pause(5);
    await store.claimPostback(KEY, "b", 1);
    await pause(5);

    expect(await store.confirmPostback(KEY, "a")).toBe(true);
    expect(await store.confirmPostback(KEY, "b")).toBe(false);
  });

  test("whose lease has ended is not renewed once another of its transaction is claimed", async () => {
    const store = await open();
    const other = { ...KEY, rawStatus: "refunded" };
    await store.claimPostback(KEY, "a", 1);
    await pause(5);
    await store.claimPostback(other, "b", LEASE);

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
    await pause(10);

    expect(await store.claimPostback(other, "c", LEASE)).toEqual(claimed());
  });
});
