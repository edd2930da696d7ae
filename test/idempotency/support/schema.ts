import { randomUUID } from "node:crypto";
import { postgresStore } from "payments-sdk/idempotency";
import { Client, Pool, type PoolConfig } from "pg";
import postgres from "postgres";
import { onTestFinished } from "vitest";
import { sharedPostgres } from "../../support/postgres-server.ts";

/** A new schema on the shared server, with connections that end with the test. */
export interface Schema {
  readonly name: string;
  pool(config?: PoolConfig): Promise<Pool>;
  client(): Promise<Client>;
  postgresJs(options?: postgres.Options<Record<string, never>>): Promise<postgres.Sql>;
}

export async function newSchema(): Promise<Schema> {
  const { address } = await sharedPostgres();
  const name = `s_${randomUUID().replaceAll("-", "")}`;
  const settings = { ...address, options: `-c search_path=${name}`, application_name: name };
  const schema: Schema = {
    name,
    async pool(config) {
      const pool = new Pool({ ...settings, ...config });
      pool.on("error", () => undefined); // an idle connection that is cut
      onTestFinished(() => pool.end());
      return pool;
    },
    async client() {
      const client = new Client(settings);
      client.on("error", () => undefined);
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    },
    async postgresJs(options) {
      const sql = postgres({
        ...address,
        ...options,
        connection: { search_path: name, application_name: name },
      });
      onTestFinished(() => sql.end());
      return sql;
    },
  };
  await (await schema.client()).query(`CREATE SCHEMA ${name}`);
  return schema;
}

/** A schema with the tables of a store. */
export async function migratedSchema(): Promise<Schema> {
  const schema = await newSchema();
  await postgresStore(await schema.client()).migrate();
  return schema;
}

/** All rows of the tables, as text. */
export async function contentsOf(schema: Schema): Promise<string> {
  const client = await schema.client();
  const tables = ["payments_orders", "payments_postbacks"];
  const dumps = await Promise.all(
    tables.map((table) => client.query(`SELECT ${table}::text AS line FROM ${table}`)),
  );
  return dumps.flatMap(({ rows }) => rows.map(({ line }) => String(line))).join("\n");
}
