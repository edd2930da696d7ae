import { randomUUID } from "node:crypto";
import { type RedisClient, redisStore } from "payments-sdk/idempotency";
import { RESP_TYPES } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisCluster, startRedisCluster } from "../../support/redis-cluster.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { sharedRedis } from "./open.ts";
import { ioRedis, ioRedisCluster, nodeRedis, nodeRedisCluster, nodeRedisPool } from "./support/clients.ts";
import { anOrder, POSTBACK, unresolvedIn } from "./support/orders.ts";

let cluster: RedisCluster;

const CLIENTS: readonly [name: string, connect: () => Promise<RedisClient>][] = [
  ["node-redis", async () => nodeRedis(await sharedRedis())],
  ["node-redis with RESP2", async () => nodeRedis(await sharedRedis(), { RESP: 2 })],
  [
    "node-redis with a prefix",
    async () => nodeRedis(await sharedRedis(), { keyPrefix: `${randomUUID()}[a*]:` }),
  ],
  [
    "node-redis with replies as bytes",
    async () => (await nodeRedis(await sharedRedis())).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
  ],
  ["a pool of node-redis", async () => nodeRedisPool(await sharedRedis())],
  ["a cluster of node-redis", () => nodeRedisCluster(cluster.ports)],
  ["a cluster of node-redis with a prefix", () => nodeRedisCluster(cluster.ports, { keyPrefix: "shop:" })],
  ["ioredis", async () => ioRedis(await sharedRedis())],
  ["ioredis with RESP2", async () => ioRedis(await sharedRedis(), { protocol: 2 })],
  ["ioredis with numbers as text", async () => ioRedis(await sharedRedis(), { stringNumbers: true })],
  ["ioredis with mapped replies", async () => ioRedis(await sharedRedis(), { replyMapping: "resp3" })],
  ["ioredis with pipelines", async () => ioRedis(await sharedRedis(), { enableAutoPipelining: true })],
  ["ioredis with a prefix", async () => ioRedis(await sharedRedis(), { keyPrefix: `${randomUUID()}?:` })],
  ["a cluster of ioredis", () => ioRedisCluster(cluster.ports)],
  ["a cluster of ioredis with a prefix", () => ioRedisCluster(cluster.ports, { keyPrefix: "shop:" })],
];

describe.skipIf(missingRedis !== undefined).each(CLIENTS)("a store on %s", (_name, connect) => {
  beforeAll(async () => {
    cluster ??= await startRedisCluster();
  });

  const open = async () => redisStore(await connect(), { namespace: randomUUID() });

  test("keeps a payment from its claim to its end", async () => {
    const store = await open();
    const [mine, yours] = [anOrder("a"), anOrder("b")];

    expect(await store.claim(mine, 60_000)).toEqual({ state: "yours" });
    expect(await store.claim(yours, 60_000)).toMatchObject({ state: "claimed" });
    expect(await store.renew(mine, 60_000)).toBe(true);
    expect(await store.end(mine, { outcome: "created", transactionId: 7 })).toEqual([]);
    expect(await store.claim(yours, 60_000)).toEqual({ state: "created", transactionId: 7 });
  });

  test("gives one of many claims of the same payment", async () => {
    const store = await open();

    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, at) => store.claim(anOrder(`owner-${at}`), 60_000)),
    );

    expect(claims.filter(({ state }) => state === "yours")).toHaveLength(1);
    expect(claims.filter(({ state }) => state === "claimed")).toHaveLength(19);
  });

  test("lists what is unresolved, wherever it is, and nothing else", async () => {
    const store = await open();
    const refs = Array.from({ length: 30 }, (_, at) => `order-${at}`);
    for (const [at, ref] of refs.entries()) {
      const order = anOrder("a", ref);
      await store.claim(order, 60_000);
      await store.end(
        order,
        at % 3 === 0 ? { outcome: "unknown" } : { outcome: "created", transactionId: at },
      );
    }

    expect(await unresolvedIn(store)).toEqual(refs.filter((_, at) => at % 3 === 0).sort());
  });

  test("settles and resolves", async () => {
    const store = await open();
    for (const ref of ["paid", "not charged"]) {
      await store.claim(anOrder("a", ref), 60_000);
      await store.end(anOrder("a", ref), { outcome: "unknown" });
    }

    await store.settle("paid", { id: 8, status: "approved", rawStatus: "approved", amount: 1990 });

    expect(await store.claim(anOrder("b", "paid"), 1)).toMatchObject({ state: "created", transactionId: 8 });
    expect(await store.resolve("not charged", { charged: false })).toBe("free");
    expect(await unresolvedIn(store)).toEqual([]);
  });

  test("keeps postbacks", async () => {
    const store = await open();

    expect(await store.claimPostback(POSTBACK, "a", 60_000)).toEqual({ state: "claimed", handled: [] });
    expect(await store.claimPostback(POSTBACK, "b", 60_000)).toMatchObject({ state: "busy" });
    expect(await store.confirmPostback(POSTBACK, "a")).toBe(true);
    expect(await store.claimPostback(POSTBACK, "b", 60_000)).toEqual({ state: "done" });
  });

  test("has a warning that this Redis forgets, after the first claim", async () => {
    const store = await open();
    expect(store.warning).toBeUndefined();

    await store.claim(anOrder("a"), 60_000);

    await expect.poll(() => store.warning, { interval: 1 }).toContain("appendonly no");
  });

  test("is not in the way of a store of another namespace", async () => {
    const client = await connect();
    const [one, other] = [randomUUID(), randomUUID()].map((namespace) => redisStore(client, { namespace }));
    if (one === undefined || other === undefined) throw new Error("there are two");
    await one.claim(anOrder("a"), 60_000);
    await one.end(anOrder("a"), { outcome: "unknown" });

    expect(await unresolvedIn(other)).toEqual([]);
    expect(await other.claim(anOrder("b"), 60_000)).toEqual({ state: "yours" });
  });
});

afterAll(() => cluster?.stop());
