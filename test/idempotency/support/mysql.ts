import { randomUUID } from "node:crypto";
import { createConnection, createPool, type Pool, type PoolOptions } from "mysql2/promise";
import { mysqlStore } from "payments-sdk/idempotency";
import { expect, onTestFinished } from "vitest";
import { sharedMariadb } from "../../support/mariadb-server.ts";

/** A new database on the shared server, with connections that end with the test. */
export interface MysqlDatabase {
  readonly name: string;
  pool(options?: PoolOptions): Promise<Pool>;
}

export async function newDatabase(): Promise<MysqlDatabase> {
  const { address } = await sharedMariadb();
  const name = `s_${randomUUID().replaceAll("-", "")}`;
  const admin = await createConnection(address);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  return {
    name,
    async pool(options) {
      const pool = createPool({ ...address, database: name, ...options });
      onTestFinished(() => pool.end().catch(() => undefined));
      return pool;
    },
  };
}

/** A database with the tables of a store. */
export async function migratedDatabase(): Promise<MysqlDatabase> {
  const database = await newDatabase();
  await mysqlStore(await database.pool()).migrate();
  return database;
}

/** All rows of the tables. */
export async function contentsOf(database: MysqlDatabase): Promise<readonly unknown[]> {
  const pool = await database.pool();
  const tables = ["payments_orders", "payments_postbacks"];
  return (
    await Promise.all(tables.map(async (table) => (await pool.query(`SELECT * FROM ${table}`))[0]))
  ).flat();
}

/** Resolves when a statement of the database waits for the lock of another transaction. */
export async function aStatementWaits(database: MysqlDatabase): Promise<void> {
  const pool = await database.pool();
  const count = async () => {
    const [rows] = await pool.query(
      "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT' AND db = ?",
      [database.name],
    );
    return rows;
  };
  // The server reads this table again only if no one has for 100 ms.
  await expect.poll(count, { interval: 150, timeout: 4_000 }).toHaveLength(1);
}
