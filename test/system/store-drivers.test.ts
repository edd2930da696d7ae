import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { ConfigurationError, type PostgresClient, postgresStore, redisStore } from "payments-sdk/idempotency";
import type { StoreFeatures, TestDatabase } from "payments-sdk/testing";
import driver from "postgres";
import { RESP_TYPES } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  describeStore,
  inOwnNamespaces,
  postgres,
  RETENTION_DAYS,
  redis,
} from "../idempotency/support/databases.ts";
import { attempt, LEASE, listed, ORDER, UNKNOWN } from "../idempotency/support/orders.ts";
import { newSchema } from "../idempotency/support/postgres.ts";
import {
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  nodeRedisPool,
  sharedRedis,
} from "../idempotency/support/redis.ts";
import { thrownBy } from "../support/merchant.ts";
import { type RedisCluster, startRedisCluster } from "../support/redis-cluster.ts";
import { missingRedis } from "../support/redis-server.ts";

/** The tests of test/idempotency/stores.test.ts with other clients, partly in real time. */

/** Of a driver whose database runs all tests with another one: each method of a store, races and every kind of value. */
const EACH_METHOD =
  /if many try at once|exactly as it was recorded|beyond 2\^53|listed with its terms|settles an unresolved|person resolves|any characters|a namespace separates|names that have orders|list returns what|renewed only by its owner|retention|confirmed is done|was released|in that order/;

const smoke = (name: string, open: () => Promise<TestDatabase> | TestDatabase, features?: StoreFeatures) =>
  describeStore(name, open, features, EACH_METHOD);

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
  await postgresStore(pglite).migrate();
}, 120_000);
afterAll(() => pglite.close());

smoke("postgresStore with a client of pg", () => postgres((schema) => schema.client()), {
  retentionDays: RETENTION_DAYS,
});
smoke("postgresStore with postgres.js", () => postgres((schema) => schema.postgresJs()));
describeStore("postgresStore with postgres.js that renames columns and reads big integers", () =>
  postgres((schema) =>
    schema.postgresJs({ transform: driver.pascal, types: { bigint: driver.BigInt } } as object),
  ),
);
smoke("postgresStore with PGlite", () => ({
  store: inOwnNamespaces(randomUUID(), async (namespace) => postgresStore(pglite, { namespace })),
}));

test("a transaction of postgres.js and one of PGlite are refused as clients", async () => {
  const sql = await (await newSchema()).postgresJs();
  const refusalOf = (transaction: unknown) => thrownBy(() => postgresStore(transaction as PostgresClient));

  expect(await sql.begin(async (transaction) => refusalOf(transaction))).toBeInstanceOf(ConfigurationError);
  expect(await pglite.transaction(async (transaction) => refusalOf(transaction))).toBeInstanceOf(
    ConfigurationError,
  );
});

describe.skipIf(missingRedis !== undefined)("redisStore", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  const onCluster = (connect: typeof nodeRedisCluster | typeof ioRedisCluster) => (): TestDatabase => ({
    store: inOwnNamespaces(randomUUID(), async (namespace) =>
      redisStore(await connect(cluster.ports, { keyPrefix: "shop:" }), { namespace }),
    ),
  });

  smoke("with ioredis", () => redis(ioRedis));
  describeStore("with a cluster of node-redis that has a prefix", onCluster(nodeRedisCluster));
  smoke("with a cluster of ioredis that has a prefix", onCluster(ioRedisCluster));
  smoke("with a pool of node-redis", () => redis(nodeRedisPool));
  describeStore("with node-redis, RESP2 and replies as bytes", () =>
    redis(async (server) =>
      (await nodeRedis(server, { RESP: 2 })).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
    ),
  );
  describeStore("with ioredis, mapped replies, numbers as strings and pipelines", () =>
    redis((server) =>
      ioRedis(server, { replyMapping: "resp3", stringNumbers: true, enableAutoPipelining: true }),
    ),
  );

  test.each([
    ["node-redis", nodeRedis],
    ["ioredis", ioRedis],
  ] as const)(
    "with a prefix of %s that looks like a pattern lists its own orders",
    async (_name, connect) => {
      const [own, server] = [randomUUID(), await sharedRedis()];
      const store = redisStore(await connect(server, { keyPrefix: `${own}[a*]?:` }));
      const other = redisStore(await connect(server, { keyPrefix: `${own}ab:` }));
      await attempt(other, UNKNOWN);
      await store.claim(ORDER, LEASE);

      expect(await listed(store)).toEqual([]);
      await store.recordOutcome(ORDER, UNKNOWN);
      expect(await listed(store)).toMatchObject([{ externalRef: "order-1" }]);
    },
  );
});
