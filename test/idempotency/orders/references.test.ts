import { expect, test } from "vitest";
import { createdAs, LEASE, listed, news, ORDER, stateOf, transactionOf, UNKNOWN } from "../support/orders.ts";
import { onEverySharedStore, onEveryStore } from "../support/stores.ts";

const REFERENCES: readonly (readonly [what: string, reference: string])[] = [
  ["one character", "1"],
  ["a space", " "],
  ["spaces around", " order-1 "],
  ["Portuguese", "pedido-ação-ü"],
  ["Chinese and emoji", "订单-🛒-👩‍👩‍👧"],
  ["quotes", `o'rd"er\`-1'; DROP TABLE payments_orders; --`],
  ["backslashes", "order\\1\\\\n\\u0000"],
  ["glob characters", "order-[1]*?{a,b}^$"],
  ["braces of a hash tag", "{order}-1"],
  ["SQL wildcards", "order_%1"],
  ["what a template or a statement would fill in", "$1 :order ? %s $order"],
  ["what looks like a key", "payments:default:order:1"],
  ["what looks like a member of every object", "__proto__"],
  ["1,000 characters", "x".repeat(1_000)],
  ["1,000 characters beyond the basic plane", "🛒".repeat(500)],
  [
    "1,000 different characters",
    Array.from({ length: 1_000 }, (_, nth) => String.fromCharCode(0x4e00 + nth * 7)).join(""),
  ],
];

onEveryStore("a reference of", (open) => {
  test.each(REFERENCES)("%s is kept, listed and settled as it is", async (_what, externalRef) => {
    const store = await open();
    const order = { ...ORDER, externalRef };

    expect(await store.claim(order, LEASE)).toEqual({ state: "yours" });
    expect(await store.renew(order, LEASE)).toBe(true);
    await store.end(order, UNKNOWN);
    expect(await listed(store)).toMatchObject([{ externalRef }]);
    expect(await store.resolve(externalRef, { charged: false })).toBe("free");
    const again = { ...order, owner: "b" };
    expect(await store.claim(again, LEASE)).toEqual({ state: "yours" });
    await store.end(again, createdAs("pending"));
    await store.settle(externalRef, news("approved"));
    expect((await transactionOf(store, order)).transaction).toMatchObject({ status: "approved" });
  });

  test.each([
    ["letters of another case", "order-a", "order-A"],
    ["a space at the end", "order-1", "order-1 "],
    ["an accent composed in another way", "ação", "ação".normalize("NFD")],
    ["a wildcard", "order_1", "order-1"],
    ["a glob", "order-*", "order-1"],
    ["the last of 1,000 characters", `${"x".repeat(999)}1`, `${"x".repeat(999)}2`],
    ["the last of 1,000 wide characters", `${"订".repeat(999)}1`, `${"订".repeat(999)}2`],
    ["a name that other objects have", "constructor", "__proto__"],
    ["what an encoder may make of the other", "%F0%9F%9B%92", "🛒"],
    ["an escape", "a\\u00e9", "aé"],
    ["parts that are joined in another way", "a:b", "a::b"],
  ])("%s makes another order", async (_what, one, other) => {
    const store = await open();
    await store.claim({ ...ORDER, externalRef: one }, LEASE);

    expect(await store.claim({ ...ORDER, externalRef: other, owner: "b" }, LEASE)).toEqual({
      state: "yours",
    });
    await store.settle(other, news("approved"));
    expect(await stateOf(store, { ...ORDER, externalRef: one })).toBe("claimed");
  });
});

/** A database may cut one off, or keep another character in its place. Each is close to a reference that has a record. */
const UNSAFE: readonly (readonly [what: string, reference: string, message: string])[] = [
  ["NUL and more", "order-1\u00002", "must not hold control characters"],
  ["NUL at its end", "order-1\u0000", "must not hold control characters"],
  ["a line feed", "order-1\n", "must not hold control characters"],
  ["DEL", "order-1\u007f", "must not hold control characters"],
  ["a control character of C1", "order-1\u0085", "must not hold control characters"],
  ["half of a character", "order-\ud83d", "must not hold half of a character"],
];

onEveryStore("a reference with", (open) => {
  test.each(UNSAFE)("%s has no record and touches no other", async (_what, externalRef, message) => {
    const store = await open();
    const order = { ...ORDER, externalRef, owner: "b" };
    for (const known of ["order-1", "order-\ufffd"]) {
      await store.claim({ ...ORDER, externalRef: known, owner: known }, LEASE);
      await store.end({ ...ORDER, externalRef: known, owner: known }, UNKNOWN);
    }
    const before = await listed(store);

    const refusal = { code: "invalid_request", issues: [{ field: "externalRef", message }] };
    await expect(store.claim(order, LEASE)).rejects.toMatchObject(refusal);
    await expect(store.end(order, createdAs())).rejects.toMatchObject(refusal);
    await expect(store.resolve(externalRef, { charged: false })).rejects.toMatchObject(refusal);
    expect(await store.renew(order, LEASE)).toBe(false);
    expect(await store.settle(externalRef, news("approved"))).toEqual([]);

    const after = await listed(store);
    expect(after).toEqual(before.map((known) => ({ ...known, since: expect.any(String) })));
    expect(after).toHaveLength(2);
  });
});

onEverySharedStore("a namespace", (database) => {
  test.each([
    ["another one", "shop-1", "shop-2"],
    ["one of another case", "shop", "Shop"],
    ["one that begins alike", "shop", "shop:order"],
    ["one with glob characters", "shop-*", "shop-1"],
    ["one that the reference completes", "a", "a:order"],
  ])("keeps orders apart from %s", async (_what, one, other) => {
    const { store } = await database();
    const [ours, theirs] = [await store({ namespace: one }), await store({ namespace: other })];
    await ours.claim(ORDER, LEASE);
    await ours.end(ORDER, UNKNOWN);

    expect(await listed(theirs)).toEqual([]);
    expect(await theirs.claim({ ...ORDER, owner: "b" }, LEASE)).toEqual({ state: "yours" });
    await theirs.end({ ...ORDER, owner: "b" }, createdAs());

    expect(await listed(ours)).toMatchObject([{ externalRef: "order-1" }]);
    expect(await stateOf(theirs)).toBe("created");
  });
});
