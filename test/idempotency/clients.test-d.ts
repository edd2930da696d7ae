import type { Transaction } from "@electric-sql/pglite";
import type { Cluster, Redis } from "ioredis";
import type { createConnection as createCallbackConnection, createPool as createCallbackPool } from "mysql2";
import type { Connection, Pool, PoolConnection } from "mysql2/promise";
import {
  type MysqlClient,
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type redisStore,
} from "payments-sdk/idempotency";
import type postgres from "postgres";
import type { createClient, createClientPool, createCluster, createSentinel, RedisClientType } from "redis";
import { expectTypeOf, test } from "vitest";

test("postgresStore accepts clients that run statements over HTTP and return only rows", () => {
  type OverHttp = { query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> };
  expectTypeOf<OverHttp>().toExtend<PostgresClient>();
});

test("postgresStore accepts no options instead of values, no transaction, and no connection string", () => {
  type WithOptions = { query(text: string, options?: { bind?: unknown[] }): Promise<unknown> };
  expectTypeOf<WithOptions>().not.toExtend<PostgresClient>();
  expectTypeOf<postgres.TransactionSql>().not.toExtend<PostgresClient>();
  expectTypeOf<Transaction>().not.toExtend<PostgresClient>();
  // @ts-expect-error
  postgresStore("postgres://localhost/shop");
});

type Accepted = Parameters<typeof redisStore>[0];

test("redisStore accepts clients of node-redis and ioredis", () => {
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<Accepted>();
  expectTypeOf<RedisClientType>().toExtend<Accepted>();
  expectTypeOf<ReturnType<typeof createClientPool>>().toExtend<Accepted>();
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<Accepted>();
  expectTypeOf<ReturnType<typeof createSentinel>>().toExtend<Accepted>();
  expectTypeOf<Redis>().toExtend<Accepted>();
  expectTypeOf<Cluster>().toExtend<Accepted>();
});

test("redisStore accepts node-redis with RESP2 or with other reply types", () => {
  type Empty = Record<string, never>;
  expectTypeOf<RedisClientType<Empty, Empty, Empty, 2>>().toExtend<Accepted>();
  expectTypeOf<RedisClientType<Empty, Empty, Empty, 3, { 36: BufferConstructor }>>().toExtend<Accepted>();
});

test("redisStore accepts nothing else", () => {
  expectTypeOf<string>().not.toExtend<Accepted>();
  expectTypeOf<{ url: string }>().not.toExtend<Accepted>();
  expectTypeOf<Promise<Redis>>().not.toExtend<Accepted>();
  expectTypeOf<ReturnType<Redis["pipeline"]>>().not.toExtend<Accepted>();
  expectTypeOf<ReturnType<ReturnType<typeof createClient>["legacy"]>>().not.toExtend<Accepted>();
});

test("redisStore returns a store for payments and postbacks", () => {
  expectTypeOf<ReturnType<typeof redisStore>>().toEqualTypeOf<PaymentsStore>();
});

test("mysqlStore accepts pools and connections of mysql2 with promises, and no others", () => {
  expectTypeOf<Pool>().toExtend<MysqlClient>();
  expectTypeOf<Connection>().toExtend<MysqlClient>();
  expectTypeOf<PoolConnection>().toExtend<MysqlClient>();
  expectTypeOf<ReturnType<ReturnType<typeof createCallbackPool>["promise"]>>().toExtend<MysqlClient>();
  expectTypeOf<ReturnType<typeof createCallbackPool>>().not.toExtend<MysqlClient>();
  expectTypeOf<ReturnType<typeof createCallbackConnection>>().not.toExtend<MysqlClient>();
  expectTypeOf<string>().not.toExtend<MysqlClient>();
});
