import { existsSync } from "node:fs";
import { type IdempotencyStore, postgresStore, redisStore, sqliteStore } from "payments-sdk/idempotency";

export interface OpenStore {
  readonly store: IdempotencyStore;
  readonly close: () => unknown;
}

/**
 * Opens the store that a shop has: a file, or the URL of a Redis or a PostgreSQL. The drivers are loaded where they are
 * used.
 *
 * @throws {Error} that names the store without a password.
 */
export async function openStore(location: string, namespace: string | undefined): Promise<OpenStore> {
  try {
    if (/^(rediss?|unix):/.test(location)) return await openRedis(location, namespace);
    if (/^postgres(ql)?:/.test(location)) return await openPostgres(location, namespace);
    // The store would make an empty file, in which nothing is unresolved.
    if (!existsSync(location)) throw new Error("there is no such file.");
    const store = sqliteStore(location, { namespace });
    return { store, close: () => store.close() };
  } catch (error) {
    const name = location.replace(/\/\/[^/]*@/, "//");
    throw new Error(`${name} cannot be opened: ${(error as Error).message}`);
  }
}

async function openRedis(url: string, namespace: string | undefined): Promise<OpenStore> {
  const { createClient } = await import("redis");
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // whoever waits for an answer is told
  await client.connect();
  return { store: redisStore(client, { namespace }), close: () => client.close() };
}

async function openPostgres(connectionString: string, namespace: string | undefined): Promise<OpenStore> {
  const { Pool } = await import("pg");
  const pool = new Pool({ connectionString });
  pool.on("error", () => undefined);
  await pool.query("SELECT 1");
  return { store: postgresStore(pool, { namespace }), close: () => pool.end() };
}
