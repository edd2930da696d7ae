import type { PGlite, Transaction } from "@electric-sql/pglite";
import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { Client, Pool, PoolClient } from "pg";
import type postgres from "postgres";
import { expectTypeOf, test } from "vitest";

test("postgresStore accepts clients of pg, postgres.js and PGlite", () => {
  expectTypeOf<Pool>().toExtend<PostgresClient>();
  expectTypeOf<Client>().toExtend<PostgresClient>();
  expectTypeOf<PoolClient>().toExtend<PostgresClient>();
  expectTypeOf<postgres.Sql>().toExtend<PostgresClient>();
  expectTypeOf<postgres.Sql<{ bigint: bigint }>>().toExtend<PostgresClient>();
  expectTypeOf<postgres.ReservedSql>().toExtend<PostgresClient>();
  expectTypeOf<PGlite>().toExtend<PostgresClient>();
});

test("postgresStore accepts clients that run statements over HTTP and return only rows", () => {
  type OverHttp = { query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> };

  expectTypeOf<OverHttp>().toExtend<PostgresClient>();
});

test("postgresStore does not accept a transaction, because a rollback would undo its writes", () => {
  expectTypeOf<postgres.TransactionSql>().not.toExtend<PostgresClient>();
  expectTypeOf<Transaction>().not.toExtend<PostgresClient>();
});

test("postgresStore does not accept a connection string", () => {
  // @ts-expect-error
  postgresStore("postgres://localhost/shop");
});
