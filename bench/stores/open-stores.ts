import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import {
  memoryStore,
  type PaymentsStore,
  postgresStore,
  redisStore,
  sqliteStore,
} from "payments-sdk/idempotency";
import pg from "pg";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { DURABLE, missingRedis, startRedis } from "../../test/support/redis-server.ts";

/** A store with its database, and how often that was asked something. */
export interface OpenStore {
  readonly name: string;
  readonly store: PaymentsStore | undefined;
  /** Messages to the database's server; `undefined` where there is none. */
  readonly roundTrips?: () => number;
  close(): Promise<void>;
}

export const BARE = "no store";

/** Why a store is missing, by its name. */
export const MISSING: ReadonlyMap<string, string> = new Map(
  missingRedis === undefined ? [] : [["Redis", missingRedis]],
);

const nothingToClose = async () => undefined;

/** Opens each store on a database that holds nothing yet and waits for the disk, as its documentation asks for. */
export async function openStores(): Promise<readonly OpenStore[]> {
  const opened: OpenStore[] = [
    { name: BARE, store: undefined, close: nothingToClose },
    { name: "memory", store: memoryStore(), close: nothingToClose },
  ];
  try {
    opened.push(openSqlite());
    if (missingRedis === undefined) opened.push(await openRedis());
    opened.push(await openPostgres());
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

export async function closeAll(stores: readonly OpenStore[]): Promise<void> {
  for (const store of stores) await store.close();
}

function openSqlite(): OpenStore {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-bench-"));
  const store = sqliteStore(join(folder, "payments.db"));
  const close = async () => {
    store.close();
    rmSync(folder, { recursive: true });
  };
  return { name: "SQLite", store, close };
}

async function openRedis(): Promise<OpenStore> {
  const server = await startRedis(...DURABLE);
  const client = new Redis(server.path, { lazyConnect: true });
  let sent = 0;
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...command) => {
    sent += 1;
    return send(...command);
  };
  const close = async () => {
    client.disconnect();
    await server.stop();
  };
  return { name: "Redis", store: redisStore(client), roundTrips: () => sent, close };
}

async function openPostgres(): Promise<OpenStore> {
  const server = await startPostgres({ fsync: "on" });
  const pool = new pg.Pool(server.address);
  await postgresStore(pool).migrate();
  let sent = 0;
  const query = (text: string, values: unknown[]) => {
    sent += 1;
    return pool.query(text, values);
  };
  const close = async () => {
    await pool.end();
    await server.stop();
  };
  return { name: "PostgreSQL", store: postgresStore({ query }), roundTrips: () => sent, close };
}
