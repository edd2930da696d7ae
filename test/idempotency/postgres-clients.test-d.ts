import type { Transaction } from "@electric-sql/pglite";
import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type postgres from "postgres";
import { expectTypeOf, test } from "vitest";

test("postgresStore accepts clients that run statements over HTTP and return only rows", () => {
  type OverHttp = { query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> };

  expectTypeOf<OverHttp>().toExtend<PostgresClient>();
});

test("postgresStore does not accept a client whose query takes options instead of values", () => {
  type WithOptions = { query(text: string, options?: { bind?: unknown[] }): Promise<unknown> };

  expectTypeOf<WithOptions>().not.toExtend<PostgresClient>();
});

test("postgresStore does not accept a transaction, because a rollback would undo its writes", () => {
  expectTypeOf<postgres.TransactionSql>().not.toExtend<PostgresClient>();
  expectTypeOf<Transaction>().not.toExtend<PostgresClient>();
});

test("postgresStore does not accept a connection string", () => {
  // @ts-expect-error
  postgresStore("postgres://localhost/shop");
});
