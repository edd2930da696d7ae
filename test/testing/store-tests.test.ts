import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { storeTests, type TestDatabase } from "payments-sdk/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { memory } from "../idempotency/support/databases.ts";

/** The exported tests of stores, on stores that break a rule. Our own stores pass them. */

type Change = (store: PaymentsStore) => Partial<PaymentsStore>;

/** A wrong store, and the rule that it breaks. */
const WRONG_STORES: readonly (readonly [string, Change, string])[] = [
  [
    "claims an order in two steps",
    (store) => {
      const claimed = new Set<string>();
      return {
        claim: async (order, leaseMs) => {
          if (claimed.has(order.externalRef)) return store.claim(order, leaseMs);
          await Promise.resolve();
          claimed.add(order.externalRef);
          await store.claim(order, leaseMs);
          return { state: "yours" };
        },
      };
    },
    "an order that is unclaimed is claimed by one caller if many try at once",
  ],
  [
    "lets a person free an order in flight",
    () => ({ resolve: async () => ({ state: "free" }) }),
    "a person cannot resolve an order in flight or an unknown one, or deny a transaction",
  ],
  [
    "replaces a transaction in two steps",
    (store) => ({
      async resolve(externalRef, { replaces, ...finding }) {
        if (replaces !== undefined) {
          await store.resolve(externalRef, { transactionId: replaces, status: "cancelled" });
        }
        return store.resolve(externalRef, finding);
      },
    }),
    "a person replaces a transaction recorded by mistake in one step: no create call is sent meanwhile",
  ],
  [
    "forgets which postbacks were handled",
    (store) => ({
      confirmPostback: async (key, owner) => {
        await store.releasePostback(key, owner);
        return true;
      },
    }),
    "a postback that was confirmed is done permanently",
  ],
  [
    "does not record the details of a claim",
    (store) => ({
      claimPostback: (key, owner, leaseMs) => store.claimPostback(key, owner, leaseMs),
    }),
    "an open postback is recorded by its claim, and listed until it is confirmed",
  ],
];

test.each(WRONG_STORES)("a store that %s fails", async (_what, change, rule) => {
  const open = async (): Promise<TestDatabase> => ({
    ...(await memory()),
    store: () => {
      const store = memoryStore();
      return { ...store, ...change(store) };
    },
  });
  const tests = storeTests(open, { isShared: false, hasNamespaces: false });

  const failing = tests.find(({ name }) => name === rule);

  await expect(failing?.run()).rejects.toMatchObject({ code: "ERR_ASSERTION" });
});

test("a failed assertion names the rule and the last calls, keeps the difference, and closes its database", async () => {
  const close = vi.fn();
  const store = () => ({ ...memoryStore(), renew: async () => true });
  const tests = storeTests(() => ({ store, advance: () => {}, close }), { isShared: false });
  const failing = tests.find(({ name }) => name.startsWith("an order is renewed only by its owner"));

  const error: unknown = await failing?.run().catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ code: "ERR_ASSERTION", actual: true, expected: false });
  for (const shown of [String(error), (error as Error).stack]) {
    expect(shown).toContain(failing?.name);
    expect(shown).toMatch(/claim\(.+?\), then renew\(\{.*"externalRef":/);
    expect(shown).toContain("true !== false");
  }
  expect(close).toHaveBeenCalledTimes(1);
});

test("a correct store whose calls take longer than a lease of the tests passes the rule for orders without heartbeats", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  const slow = <Value extends unknown[], Result>(call: (...values: Value) => Result) =>
    vi.fn((...values: Value) => {
      vi.advanceTimersByTime(600);
      return call(...values);
    });
  const shop = { ...store, claim: slow(store.claim), resolve: slow(store.resolve) };
  const tests = storeTests(() => ({ store: () => shop }), { isShared: false });
  const rule = tests.find(({ name }) => name.startsWith("an order whose process no longer renews it"));

  let hasEnded = false;
  const running = rule?.run().finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) await vi.advanceTimersByTimeAsync(100);

  await expect(running).resolves.toBeUndefined();
  expect(shop.resolve).toHaveBeenCalled();
});

test("a store that is only for orders fails with the name of the option, and passes with it", async () => {
  const { claimPostback: _, ...store } = memoryStore();
  const all = storeTests(() => ({ store: () => store }));
  const forOrders = storeTests(() => ({ store: () => store }), { hasPostbacks: false });

  const failing = all.find(({ name }) => name.startsWith("a postback"));

  await expect(failing?.run()).rejects.toThrow("set { hasPostbacks: false }");
  expect(forOrders.filter(({ name }) => name.startsWith("a postback"))).toEqual([]);
});

test("a store without openPostbacks passes: the tests that need it are skipped", async () => {
  const { openPostbacks: _open, closePostbacks: _close, ...store } = memoryStore();
  const tests = storeTests(() => ({ store: () => store }), { isShared: false, hasNamespaces: false });
  const skip = vi.fn();

  const winner = tests.find(({ name }) => name.startsWith("the postbacks of an order have one winner"));
  await winner?.run({ skip });

  expect(skip).toHaveBeenCalledExactlyOnceWith("The store has no openPostbacks().");
});
