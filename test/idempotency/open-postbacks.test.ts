import {
  memoryStore,
  type PaymentsStore,
  type PostbackKey,
  type PostbackStore,
} from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { createPostbackStore } from "../../src/idempotency/postbacks/postback-store.ts";
import { collect } from "../../src/testing/stores/fixtures.ts";
import { missingRedis } from "../support/redis-server.ts";
import { type Database, memory, postgres, redis, sqlite } from "./support/databases.ts";
import { POSTBACK } from "./support/operations.ts";
import { LEASE, REF } from "./support/orders.ts";
import { nodeRedis } from "./support/redis.ts";

const DETAILS = { signedAmount: 1990 };
const FAILURE = { name: "UnreadableRecord", retryAfterMs: LEASE };
const REFUND = { ...POSTBACK, rawStatus: "refunded" };

const claim = (store: PostbackStore, key: PostbackKey) => store.claimPostback(key, "a", LEASE, DETAILS);
const openIn = (store: Pick<PaymentsStore, "openPostbacks">) => collect(store.openPostbacks());

async function handle(store: PostbackStore, key: PostbackKey) {
  await claim(store, key);
  await store.confirmPostback(key, "a");
}

async function fail(store: PostbackStore, key: PostbackKey) {
  await claim(store, key);
  await store.releasePostback(key, "a", FAILURE);
}

describe.each<[string, () => Promise<Database>, string | undefined]>([
  ["memory", memory, undefined],
  ["SQLite", sqlite, undefined],
  ["PostgreSQL", () => postgres((schema) => schema.pool()), undefined],
  ["Redis", () => redis(nodeRedis), missingRedis],
])("in %s, an open postback", (_name, open, missing) => {
  test.skipIf(missing !== undefined)("may have any text as its status or reference", async () => {
    const store = await (await open()).store();
    const strange = "a\0b\ud83d".repeat(400);
    await fail(store, { ...POSTBACK, rawStatus: strange, externalRef: strange });

    expect(await openIn(store)).toMatchObject([
      { externalRef: strange, rawStatus: strange, state: "failed" },
    ]);
    expect(await store.closePostbacks(strange)).toHaveLength(1);
  });
});

test("a record that no store wrote hides no open postback", async () => {
  const { store, orders } = aSharedStore();
  await orders.write({
    key: "hello",
    expected: undefined,
    write: { text: "{}", version: "v1", isOpen: true },
  });
  await fail(store, POSTBACK);

  expect(await openIn(store)).toMatchObject([{ id: POSTBACK.id }]);
});

/** A store that several processes share, and its documents. */
function aSharedStore() {
  const [orders, transactions] = [createMemoryDocuments(10), createMemoryDocuments(10)];
  return { store: createPostbackStore({ orders, transactions, isShared: true }), orders };
}

describe("a record of an order that cannot be read", () => {
  const garbled = { text: '{"held":[]}', version: "v1", isOpen: true };

  test("is listed beside the others, and blocks its order until a person closes it", async () => {
    const { store, orders } = aSharedStore();
    await orders.write({ key: `["order","${REF}"]`, expected: undefined, write: garbled });
    await fail(store, { ...POSTBACK, externalRef: "order-2" });

    await expect(claim(store, POSTBACK)).rejects.toThrow("is not a record");
    const unreadable = { externalRef: REF, state: "failed", lastError: { name: "UnreadableRecord" } };
    const open = (await openIn(store)).toSorted((a, b) => a.externalRef.localeCompare(b.externalRef));
    expect(open).toMatchObject([unreadable, { externalRef: "order-2" }]); // both are of the same millisecond
    expect(await store.closePostbacks(REF)).toMatchObject([unreadable]);
    expect(await claim(store, POSTBACK)).toMatchObject({ state: "yours" });
  });

  test("is not one whose callback threw an error of the same name", async () => {
    const store = memoryStore();
    await handle(store, POSTBACK);
    await fail(store, REFUND);

    await store.closePostbacks(REF);

    expect(await claim(store, POSTBACK)).toEqual({ state: "done" });
  });
});

test("a prototype that other code has polluted decides nothing", async () => {
  const { store } = aSharedStore();
  const polluted = {
    signedAmount: 1990,
    attempts: -1,

    code: "x",
    winner: 5,
  };
  Object.assign(Object.prototype, polluted);
  onTestFinished(() => {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
  });

  await store.claimPostback(POSTBACK, "a", LEASE, {});
  await store.releasePostback(POSTBACK, "a", FAILURE);

  const claimed = await store.claimPostback(POSTBACK, "a", LEASE, {});
  expect(claimed).toMatchObject({ state: "yours", order: { recorded: [{ amountMatches: false }] } });
  expect(claimed).toHaveProperty("order.winner", undefined);
  expect(Object.keys((await openIn(store))[0]?.lastError ?? {})).toEqual(["name"]);
});
