import { ConfigurationError, memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";
import { createdAs, LEASE, ORDER, stateOf, UNKNOWN } from "./support/orders.ts";

function keyOf(id: number, rawStatus: string) {
  return { trust: "signed", externalRef: "order-1", id, rawStatus, amount: 1 } as const;
}

async function handle(store: ReturnType<typeof memoryStore>, id: number, rawStatus: string) {
  const key = keyOf(id, rawStatus);
  const { state } = await store.claimPostback(key, "a", 1_000);
  await store.confirmPostback(key, "a");
  return state;
}

test("the oldest postbacks are forgotten first", async () => {
  const store = memoryStore({ maxPostbacks: 3 });
  for (const status of ["pending", "approved"]) await handle(store, 1, status);
  for (const status of ["pending", "approved"]) await handle(store, 2, status);

  const [forgotten, kept] = [
    await store.claimPostback(keyOf(1, "pending"), "b", 1_000),
    await store.claimPostback(keyOf(1, "approved"), "b", 1_000),
  ];

  expect(forgotten).toEqual({ state: "claimed", handled: [{ rawStatus: "approved", amount: 1 }] });
  expect(kept).toEqual({ state: "done" });
});

test("a flood of one order drives out its own later ones, and no other's", async () => {
  const store = memoryStore({ maxPostbacks: 1_010 });
  const other = { trust: "signed", externalRef: "order-2", id: 5, rawStatus: "approved", amount: 1 } as const;
  await store.claimPostback(other, "a", 1_000);
  await store.confirmPostback(other, "a");

  for (let id = 1; id <= 2_000; id += 1) await handle(store, id, "approved");

  expect(await store.claimPostback(other, "b", 1_000)).toEqual({ state: "done" });
  expect(await handle(store, 1, "approved")).toBe("done");
  expect(await handle(store, 2_000, "approved")).toBe("done");
  expect(await handle(store, 1_500, "approved")).toBe("claimed");
});

test("postbacks without a reference are not of one order", async () => {
  const store = memoryStore();
  const keyOfPix = (id: number) =>
    ({ ...keyOf(id, "approved"), trust: "unsigned", externalRef: "" }) as const;

  for (let id = 1; id <= 1_100; id += 1) {
    await store.claimPostback(keyOfPix(id), "a", 1_000);
    await store.confirmPostback(keyOfPix(id), "a");
  }

  expect(await store.claimPostback(keyOfPix(1), "b", 1_000)).toEqual({ state: "done" });
});

test("a flood of unsigned postbacks drives out no signed one", async () => {
  const store = memoryStore({ maxPostbacks: 3 });
  await handle(store, 1, "approved");

  for (let id = 1; id <= 10; id += 1) {
    const key = { ...keyOf(id, "approved"), trust: "unsigned", externalRef: `o-${id}` } as const;
    await store.claimPostback(key, "a", 1_000);
    await store.confirmPostback(key, "a");
  }

  expect(await handle(store, 1, "approved")).toBe("done");
});

describe.each(["maxPostbacks", "maxOrders"])("%s", (name) => {
  test.each([0, -1, 1.5, "3", Number.NaN])("%j is refused", (value) => {
    const error = thrownBy(() => memoryStore({ [name]: value }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(`${name} must be a whole number above zero.`);
  });
});

describe("of more orders than it holds", () => {
  const orderOf = (nth: number) => ({ ...ORDER, externalRef: `order-${nth}`, owner: `o-${nth}` });

  test("the oldest that has ended is forgotten first", async () => {
    const store = memoryStore({ maxOrders: 2 });
    for (const nth of [1, 2]) {
      await store.claim(orderOf(nth), LEASE);
      await store.end(orderOf(nth), createdAs());
    }

    await store.claim(orderOf(3), LEASE);

    expect(await stateOf(store, orderOf(2))).toBe("created");
    await store.end(orderOf(3), createdAs());
    expect(await stateOf(store, orderOf(1))).toBe("free");
  });

  test("none is forgotten that has not ended: nothing more is claimed then", async () => {
    const store = memoryStore({ maxOrders: 2 });
    await store.claim(orderOf(1), LEASE);
    await store.claim(orderOf(2), LEASE);
    await store.end(orderOf(2), UNKNOWN);

    await expect(store.claim(orderOf(3), LEASE)).rejects.toThrow(
      "holds 2 orders, and none of them has ended",
    );

    expect(await stateOf(store, orderOf(1))).toBe("claimed");
    expect(await stateOf(store, orderOf(2))).toBe("unresolved");
    await store.resolve("order-2", { charged: false });
    expect(await store.claim(orderOf(3), LEASE)).toEqual({ state: "yours" });
  });
});

test("two stores know nothing of each other", async () => {
  const [one, other] = [memoryStore(), memoryStore()];
  await handle(one, 1, "approved");

  expect(await handle(other, 1, "approved")).toBe("claimed");
});
