import { randomUUID } from "node:crypto";
import { postgresStore, type QueryingPostgresClient } from "payments-sdk/idempotency";
import { Client, Pool, type PoolConfig } from "pg";
import postgres from "postgres";
import { expect, onTestFinished } from "vitest";
import { aGate } from "../../support/http-server.ts";
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

/** A client of a new role that may read and write rows, and has no other permission. */
export async function roleIn(schema: Schema): Promise<{ readonly admin: Client; readonly client: Client }> {
  const [admin, client] = [await schema.client(), await schema.client()];
  const role = `role_of_${schema.name}`;
  await admin.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${schema.name} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON payments_orders, payments_postbacks TO ${role}`);
  onTestFinished(async () => void (await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  await client.query(`SET ROLE ${role}`);
  return { admin, client };
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

/** Resolves when so many statements of the schema wait for another transaction. Returns their process ids. */
export async function waitingFor(schema: Schema, count: number): Promise<readonly number[]> {
  const client = await schema.client();
  const pids = async () => {
    const { rows } = await client.query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = $1",
      [schema.name],
    );
    return rows.map(({ pid }) => Number(pid));
  };
  await expect.poll(pids, { interval: 5 }).toHaveLength(count);
  return pids();
}

/** A client whose `race` holds the next change of a document until another one begins: one of them must fail. */
export function racing(client: QueryingPostgresClient): QueryingPostgresClient & { race(): void } {
  let first: ReturnType<typeof aGate> | "awaited" | undefined;
  return {
    race: () => {
      first = "awaited";
    },
    async query(text, values) {
      if (first !== undefined && text.includes("SET version")) {
        if (first === "awaited") {
          first = aGate();
          await first.passed;
        } else {
          first.open();
          first = undefined;
        }
      }
      return client.query(text, values);
    },
  };
}
