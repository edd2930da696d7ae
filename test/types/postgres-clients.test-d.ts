import type { PGlite, Transaction } from "@electric-sql/pglite";
import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { Client, Pool, PoolClient } from "pg";
import type postgres from "postgres";
import { expectTypeOf, test } from "vitest";

test("the clients of pg, postgres.js and PGlite are clients of a store", () => {
  expectTypeOf<Pool>().toExtend<PostgresClient>();
  expectTypeOf<Client>().toExtend<PostgresClient>();
  expectTypeOf<PoolClient>().toExtend<PostgresClient>();
  expectTypeOf<postgres.Sql>().toExtend<PostgresClient>();
  expectTypeOf<postgres.Sql<{ bigint: bigint }>>().toExtend<PostgresClient>();
  expectTypeOf<postgres.ReservedSql>().toExtend<PostgresClient>();
  expectTypeOf<PGlite>().toExtend<PostgresClient>();
});

test("so is what runs each statement over HTTP, and gives its rows alone", () => {
  type OverHttp = { query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> };

  expectTypeOf<OverHttp>().toExtend<PostgresClient>();
});

test("a transaction is none: what a store writes must outlive it", () => {
  expectTypeOf<postgres.TransactionSql>().not.toExtend<PostgresClient>();
  expectTypeOf<Transaction>().not.toExtend<PostgresClient>();
});

test("what is not connected to a database is none", () => {
  // @ts-expect-error
  postgresStore("postgres://localhost/shop");
});
