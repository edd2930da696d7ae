import type { Connection } from "mysql2/promise";
import {
  mysqlStore,
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type StoreOptions,
} from "payments-sdk/idempotency";
import type { Client, Pool } from "pg";
import { missingMariadb } from "../../support/mariadb-server.ts";
import { aStatementWaits, migratedDatabase } from "./mysql.ts";
import { migratedSchema, waitingFor } from "./postgres.ts";

/** PostgreSQL and MariaDB, for the rules of stores whose client runs statements in transactions. */

/** Runs a statement of a store. */
export type Run = (sql: string, values: string[]) => Promise<unknown>;

export interface SqlConnection {
  readonly run: Run;
  /** Runs a statement of the test. */
  sql(text: string): Promise<unknown>;
}

export interface SqlDatabase {
  /** Runs a statement on any connection of a pool. */
  readonly run: Run;
  connect(): Promise<SqlConnection>;
  /** A pool of one connection. */
  readonly single: SqlConnection;
  open(run: Run, options?: StoreOptions): PaymentsStore;
  /** Resolves when a statement waits for the lock of another transaction. */
  statementWaits(): Promise<unknown>;
  /** Adds copies of the only order, up to so many orders. */
  copyOrder(count: number): string;
}

async function openPostgres(): Promise<SqlDatabase> {
  const schema = await migratedSchema();
  const pool = await schema.pool();
  const toConnection = (client: Pick<Client, "query"> | Pool): SqlConnection => ({
    run: (text, values) => client.query(text, values),
    sql: (text) => client.query(text),
  });
  return {
    run: (text, values) => pool.query(text, values),
    connect: async () => toConnection(await schema.client()),
    single: toConnection(await schema.pool({ max: 1 })),
    open: (query, options) => postgresStore({ query } satisfies PostgresClient, options),
    statementWaits: () => waitingFor(schema, 1),
    copyOrder: (
      count,
    ) => `INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body, retention_days)
      SELECT namespace, 'order-' || n, version, changed_at, is_open, body, retention_days
      FROM payments_orders, generate_series(2, ${count}) n`,
  };
}

async function openMariadb(): Promise<SqlDatabase> {
  const database = await migratedDatabase();
  const pool = await database.pool();
  const toConnection = (client: Pick<Connection, "execute" | "query">): SqlConnection => ({
    run: (sql, values) => client.execute(sql, values),
    sql: (text) => client.query(text),
  });
  return {
    run: (sql, values) => pool.execute(sql, values),
    connect: async () => toConnection(await pool.getConnection()),
    single: toConnection(await database.pool({ connectionLimit: 1 })),
    open: (execute, options) => mysqlStore({ execute }, options),
    statementWaits: () => aStatementWaits(database),
    copyOrder: (count) => `INSERT INTO payments_orders
      SELECT namespace, CONCAT('order-', seq), '', version, created_at, changed_at, is_open, body
      FROM payments_orders, seq_2_to_${count}`,
  };
}

/** Each database, and why it is missing. */
export const SQL_DATABASES: readonly (readonly [string, () => Promise<SqlDatabase>, string | undefined])[] = [
  ["PostgreSQL", openPostgres, undefined],
  ["MariaDB", openMariadb, missingMariadb],
];
