import { ConfigurationError } from "payments-sdk";
import { documentStore, memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { createStore, type StoreParts } from "../../src/idempotency/create-store.ts";
import { createMemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { attempt, by, LEASE, openStore, pass, REF, UNKNOWN } from "./support/orders.ts";

/** What `stats` and `check` do in cases that no database of the shared suite has. */

const NOTHING_OPEN = {
  orders: { claimed: 0, unresolved: 0, unreadable: 0 },
  oldestUnresolvedMs: 0,
  postbacks: { running: 0, failed: 0, abandoned: 0 },
  oldestFailedPostbackMs: 0,
};

function aStore(parts: Partial<StoreParts> = {}) {
  const [orders, postbacks] = [createMemoryDocuments(9), createMemoryDocuments(9)];
  const store = createStore({ orders, postbacks, isShared: false, readNamespaces: async () => [], ...parts });
  return { store, orders, postbacks };
}

test("stats counts a record that no store wrote, and the orders beside it", async () => {
  const { store, orders, postbacks } = aStore();
  const damaged = { text: "{", version: "1", isOpen: true };
  await orders.write({ key: "damaged", expected: undefined, write: damaged });
  await postbacks.write({ key: '["order","damaged"]', expected: undefined, write: damaged });
  await attempt(store, UNKNOWN);

  const { orders: counted, postbacks: open } = await store.stats();

  expect(counted).toEqual({ claimed: 0, unresolved: 1, unreadable: 1 });
  expect(open).toEqual({ running: 0, failed: 1, abandoned: 0 });
});

test("stats counts an order once that the database lists twice", async () => {
  const orders = createMemoryDocuments(9);
  const list = async function* (isOpenOnly: boolean) {
    for (const _ of [1, 2]) yield* orders.list(isOpenOnly, false);
  };
  const { store } = aStore({ orders: { ...orders, list } });
  await attempt(store, UNKNOWN);

  expect((await store.stats()).orders).toMatchObject({ unresolved: 1 });
});

test("stats shows the age of the oldest failed postback, and not of one that is running", async () => {
  const store = openStore();
  const key = { trust: "signed", id: 7, rawStatus: "approved", amount: 1990 } as const;
  await store.claimPostback({ ...key, externalRef: "running" }, "a", 10 * LEASE, {});
  pass(1_000);
  await store.claimPostback({ ...key, externalRef: REF }, "b", LEASE, {});
  await store.releasePostback({ ...key, externalRef: REF }, "b", { name: "Error", retryAfterMs: LEASE });
  pass(5_000);

  const postbacks = { running: 1, failed: 1, abandoned: 0 };
  expect(await store.stats()).toEqual({ ...NOTHING_OPEN, postbacks, oldestFailedPostbackMs: 5_000 });
});

test("memoryStore has one namespace, which lists of all namespaces name", async () => {
  const store = memoryStore();
  await attempt(store, UNKNOWN, by("a"));

  const { value } = await store.list({ namespace: "*" }).next();
  expect(value).toMatchObject({ namespace: "default", externalRef: REF });
  expect((await store.stats({ namespace: "*" })).orders.unresolved).toBe(1);
});

const never = () => Promise.reject(new Error("was called"));
async function* none() {}
const ofOneNamespace = documentStore({ add: never, read: never, replace: never, list: none });

test.each<["*", PaymentsStore]>([
  ["other" as "*", memoryStore()],
  ["*", ofOneNamespace],
])("namespace %j is refused, unless it is * and the database can list all", async (namespace, store) => {
  for (const list of [store.list, store.unresolved, store.openPostbacks]) {
    await expect(list({ namespace }).next()).rejects.toThrow(ConfigurationError);
  }
  await expect(store.stats({ namespace })).rejects.toThrow(ConfigurationError);
});

test("a list of all namespaces names the namespace of a damaged record", async () => {
  const { store, orders } = aStore();
  await orders.write({
    key: "damaged",
    expected: undefined,
    write: { text: "{", version: "1", isOpen: true },
  });

  await expect(store.list({ namespace: "*" }).next()).rejects.toThrow(/"damaged".*default/);
});

test.each([["text"], [undefined]])("getMany(%j) is refused", async (references) => {
  const reading = memoryStore().getMany(references as unknown as string[]);
  await expect(reading).rejects.toThrow(ConfigurationError);
});

test("stats refuses an `all` that is not a boolean", async () => {
  const reading = memoryStore().stats({ all: 1 as unknown as true });
  await expect(reading).rejects.toThrow(ConfigurationError);
});

test.each<[string, Partial<StoreParts>]>([
  ["of its own", { check: () => Promise.reject(new Error("no pg at postgres://shop:hunter2@db/shop")) }],
  [
    "that reads",
    {
      orders: {
        ...createMemoryDocuments(1),
        read: async () => Promise.reject(new Error("no pg at postgres://shop:hunter2@db/shop")),
      },
    },
  ],
])("a check %s reports a database that cannot be used, without its password", async (_what, parts) => {
  const problems = await aStore(parts).store.check();

  expect(problems).toEqual([{ level: "error", message: expect.stringContaining("no pg at") }]);
  expect(JSON.stringify(problems)).not.toContain("hunter2");
});
