import { randomUUID } from "node:crypto";
import { type PaymentsStore, redisStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { toRedis } from "../../../src/idempotency/stores/redis-client.ts";
import { createRedisDocuments } from "../../../src/idempotency/stores/redis-store.ts";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { POSTBACK } from "../support/operations.ts";
import { attempt, LEASE, listed, NOT_CREATED, ORDER, UNKNOWN } from "../support/orders.ts";
import { aRedis, asShop, nodeRedis, sharedRedis } from "../support/redis.ts";

const DAY = 86_400_000;

/** Documents under a unique prefix. */
async function someDocuments(retentionMs = DAY) {
  const client = await nodeRedis(await aRedis());
  const namespace = randomUUID();
  const documents = createRedisDocuments(toRedis(client), namespace, "order", retentionMs);
  /** The name of the key `a`. */
  const name = `payments:${namespace}:{1}:order:a`;
  return { client, name, documents };
}

function draft(key: string, version: string, isOpen = true) {
  return { key, expected: undefined, write: { text: "{}", version, isOpen } };
}

/** A client with a unique key prefix, and its keys without that prefix. */
async function ownKeys() {
  const keyPrefix = `${randomUUID()}:`;
  const client = await nodeRedis(await sharedRedis(), { keyPrefix });
  const keys = async () =>
    (await client.keys(`${keyPrefix}*`)).map((key) => key.slice(keyPrefix.length)).sort();
  return { client, keys };
}

const inRedis = describe.skipIf(missingRedis !== undefined);

inRedis("a record in Redis", () => {
  test("may have any retention: part of a millisecond, or infinite", async () => {
    const [short, long] = [await someDocuments(1e-7), await someDocuments(Number.POSITIVE_INFINITY)];
    for (const { documents } of [short, long]) await documents.write(draft("a", "v1", false));

    await vi.waitFor(async () => expect(await short.documents.read("a")).toBeUndefined());
    expect(await long.client.pTTL(long.name)).toBeGreaterThan(100_000 * 365 * DAY);
  });

  test("with a key that no store wrote hides no other one", async () => {
    const { client, documents, name } = await someDocuments();
    await documents.write(draft("order-1", "v1"));
    for (const end of ['"', "{1}"]) await client.set(`${name}${end}`, "open v1 1 {}");

    expect((await collect(documents.list(false, false))).map(({ key }) => key)).toEqual(["order-1"]);
  });

  test.each(["", "1", "open v1 {}", "open v1 x {}", "held v1 1 {}", '{"state":"free"}'])(
    "that payments-sdk did not write is an error, and is not overwritten: %j",
    async (value) => {
      const { client, documents, name } = await someDocuments();
      await client.set(name, value);
      const message = `Redis has a value under ${name} that payments-sdk did not write.`;

      await expect(documents.write(draft("a", "v9"))).rejects.toThrow(message);
      await expect(documents.read("a")).rejects.toThrow(message);
      expect(await documents.write({ ...draft("a", "v9"), expected: "v0" })).toBe("kept");
      expect(await client.get(name)).toBe(value);
    },
  );
});

inRedis("a value in Redis that payments-sdk did not write, instead of the postbacks of an order,", () => {
  test("is listed beside the open postbacks, and not overwritten", async () => {
    const { client, keys } = await ownKeys();
    const store = redisStore(client);
    for (const externalRef of ["a", "b"]) {
      await store.claimPostback({ ...POSTBACK, externalRef }, "a", LEASE, {});
    }
    const [key = ""] = await keys();
    await client.set(key, "{}");

    const unreadable = { externalRef: "a", state: "failed", lastError: { name: "UnreadableRecord" } };
    expect(await collect(store.openPostbacks())).toMatchObject([{ externalRef: "b" }, unreadable]);
    await expect(store.closePostbacks("a")).rejects.toThrow(`value under ${key}`);
  });
});

inRedis("the keys in Redis", () => {
  test("are one for each order, one for its postbacks, one for unsigned ones of a transaction, and indexes", async () => {
    const { client, keys } = await ownKeys();
    const [stored, inDefault] = [redisStore(client, { namespace: "loja/são" }), redisStore(client)];
    await attempt(stored, UNKNOWN, { ...ORDER, externalRef: "nº 1/2: {ção}" });
    await attempt(stored, NOT_CREATED, { ...ORDER, externalRef: "free" });
    for (const rawStatus of ["pending", "approved"]) {
      await stored.claimPostback({ ...POSTBACK, rawStatus }, "a", LEASE, {});
      await stored.confirmPostback({ ...POSTBACK, rawStatus }, "a");
    }
    await stored.claimPostback({ ...POSTBACK, trust: "unsigned" }, "a", LEASE);
    await inDefault.claim(ORDER, LEASE);
    await inDefault.claimPostback({ ...POSTBACK, externalRef: "{open}" }, "a", LEASE, {});

    expect(await keys()).toEqual([
      "payments::namespaces",
      "payments:default:{5}:open:order",
      "payments:default:{5}:order:order-1",
      'payments:default:{7}:inbox:[\\"order\\",\\"{open}\\"]',
      "payments:default:{7}:open:inbox",
      "payments:loja%2Fs%C3%A3o:{3}:order:free",
      'payments:loja%2Fs%C3%A3o:{5}:inbox:[\\"order\\",\\"order-1\\"]',
      "payments:loja%2Fs%C3%A3o:{7}:open:order",
      "payments:loja%2Fs%C3%A3o:{7}:order:nº 1/2: {ção}",
      'payments:loja%2Fs%C3%A3o:{9}:postbacks:[\\"unsigned\\",81001,\\"order-1\\"]',
    ]);
  });

  test("need only nine commands of Redis", async () => {
    const client = await asShop(await sharedRedis());
    const store = redisStore(client, { namespace: randomUUID() });

    await attempt(store, UNKNOWN);
    await store.claimPostback(POSTBACK, "a", LEASE, {});

    expect(await listed(store)).toHaveLength(1);
    expect(await store.closePostbacks(ORDER.externalRef)).toEqual([]);
    expect(await collect(store.openPostbacks())).toMatchObject([{ id: POSTBACK.id, state: "running" }]);
    expect(await store.confirmPostback(POSTBACK, "a")).toBe(true);
    await expect(client.del("payments:x")).rejects.toThrow("NOPERM");
  });
});

inRedis("the index of open postbacks", () => {
  test("lacks none that is written: without permission for the index, nothing is", async () => {
    const server = await sharedRedis();
    const namespace = randomUUID();
    const store = redisStore(await asShop(server, "-sadd"), { namespace });

    await expect(store.claimPostback(POSTBACK, "a", LEASE, {})).rejects.toThrow(
      "The user executing the script",
    );

    const allowed = redisStore(await asShop(server), { namespace });
    expect(await collect(allowed.openPostbacks())).toEqual([]);
    expect(await allowed.claimPostback(POSTBACK, "b", LEASE, {})).toMatchObject({
      state: "yours",
      attempts: 1,
    });
    expect(await collect(allowed.openPostbacks())).toMatchObject([{ id: POSTBACK.id }]);
  });
});

/** A client that returns one reply for every script, or one after the other. */
function replying(...replies: readonly unknown[]): PaymentsStore {
  const left = [...replies];
  const EVAL = async () => (left.length > 1 ? left.shift() : left[0]);
  return redisStore({ EVAL, SCAN: async () => undefined });
}

const DONE = 'done v1 1 {"held":[],"handled":[],"open":[]}';
const claims = (store: PaymentsStore) => store.claimPostback(POSTBACK, "a", LEASE);
const confirms = (store: PaymentsStore) => store.confirmPostback(POSTBACK, "a");
const lists = (store: PaymentsStore) => store.list().next();
const scanning = (reply: unknown) =>
  redisStore({ EVAL: async (_script, { keys }) => keys[0], SCAN: async () => reply });
const FOREIGN = "that payments-sdk did not write";

test.each<[string, PaymentsStore, (store: PaymentsStore) => Promise<unknown>, string]>([
  ["no reply", replying(undefined), claims, FOREIGN],
  ["a value and more", replying(["1", "open v1 1 {}", "x"]), claims, FOREIGN],
  ["no time", replying(["now", "open v1 1 {}"]), claims, FOREIGN],
  ["no value", replying(["1"]), claims, FOREIGN],
  ["a number", replying([1, "first"]), claims, "Redis returned number instead of a text."],
  ["null", replying(["1", null]), claims, "Redis returned null instead of a text."],
  ["another reply to a change", replying(["1", DONE], "yes"), confirms, FOREIGN],
  ["no page", scanning(undefined), lists, "Redis returned"],
  ["a page without keys", scanning(["0"]), lists, "Redis returned"],
  ["a page of numbers", scanning(["0", [1]]), lists, "Redis returned"],
  [
    "a cluster without a master",
    redisStore({ eval: async (_script, _count, key) => key, nodes: () => [] }),
    lists,
    "The Redis cluster lists no master.",
  ],
])("an operation fails if Redis returns %s", async (_what, store, act, message) => {
  await expect(act(store)).rejects.toThrow(message);
});

test("replies as bytes are read", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const store = replying([bytes("1"), bytes(DONE)], [bytes("1"), bytes("first")]);

  expect(await claims(store)).toEqual({ state: "yours", handled: [] });
});
