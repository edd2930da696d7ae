import { existsSync } from "node:fs";
import { env } from "node:process";
import { pathToFileURL } from "node:url";
import {
  type IdempotencyStore,
  postgresStore,
  redisStore,
  type SqliteStore,
  sqliteStore,
} from "payments-sdk/idempotency";
import { check, Failure, reasonOf } from "./failure.ts";
import { text } from "./flags.ts";
import { isReadable, nameOfStore, tellsPassword } from "./store-name.ts";

export const STORE_FLAGS = {
  store: text(
    "<store>",
    "a SQLite file, redis://... or postgres://... (default: PAYMENTS_STORE, the only place for one with a password)",
  ),
  namespace: text("<name>", "the one of the store (default: default)"),
};

/** Which store an example looks into. */
export interface StoreChoice {
  /** A file of SQLite, or a URL of Redis or PostgreSQL. */
  readonly location: string;
  readonly namespace: string;
}

/**
 * The store that the flags or the environment name.
 *
 * @throws {UsageError} on a password among the flags: whoever else uses the machine can read them.
 */
export function storeChoice(flags: {
  readonly store: string | undefined;
  readonly namespace: string | undefined;
}): StoreChoice | undefined {
  check(!tellsPassword(flags.store ?? ""), "--store would show its password to others. Set PAYMENTS_STORE.");
  const location = flags.store || env["PAYMENTS_STORE"];
  return location ? { location, namespace: flags.namespace ?? "default" } : undefined;
}

export interface OpenStore {
  /** For people, and without a password. */
  readonly name: string;
  readonly store: IdempotencyStore;
  readonly close: () => unknown;
}

/**
 * Opens the store that a shop has, and makes none: in a wrong place there is never anything unresolved.
 *
 * @throws {Failure} where it cannot be opened, or holds no orders.
 */
export async function openStore({ location, namespace }: StoreChoice): Promise<OpenStore> {
  const name = nameOfStore(location);
  if (!isReadable(location)) {
    throw new Failure(
      `${name} cannot be read: in its user and password, write / as %2F, ? as %3F, # as %23.`,
    );
  }
  let place: Place | undefined;
  try {
    place = await placeOf(location, namespace);
    if (await place.hasOrders()) {
      return { name: `${name}, namespace ${namespace}`, store: place.open(), close: place.close };
    }
  } catch (error) {
    await place?.close();
    throw new Failure(`${name} cannot be opened: ${reasonOf(error)}`);
  }
  await place.close();
  throw new Failure(`${name} has no orders in the namespace ${namespace}. Is that the store of the shop?`);
}

/** Where a store may be. */
interface Place {
  /** Changes nothing. @throws where the tables are not there. */
  readonly hasOrders: () => Promise<boolean>;
  readonly open: () => IdempotencyStore;
  readonly close: () => unknown;
}

/** The drivers are loaded where they are used. */
async function placeOf(location: string, namespace: string): Promise<Place> {
  if (/^(rediss?|unix):/i.test(location)) return inRedis(location, namespace);
  if (/^postgres(ql)?:/i.test(location)) return inPostgres(location, namespace);
  return inFile(location, namespace);
}

/** Fails where the tables are somebody else's, and gives one order. */
const ANY_ORDER = `
  SELECT orders.version, orders.changed_at, orders.is_open, orders.body, postbacks.body
  FROM payments_orders AS orders LEFT JOIN payments_postbacks AS postbacks ON false
`;

function inFile(file: string, namespace: string): Place {
  let store: SqliteStore | undefined;
  return {
    async hasOrders() {
      if (!existsSync(file)) throw new Error("there is no such file.");
      const { DatabaseSync } = await import("node:sqlite");
      // A reader would leave files beside one that nobody has open, and its owner might not be allowed to use them.
      const path = existsSync(`${file}-wal`) ? file : `${pathToFileURL(file)}?immutable=1`;
      const database = new DatabaseSync(path, { readOnly: true });
      try {
        const order = database.prepare(`${ANY_ORDER} WHERE orders.namespace = ? LIMIT 1`).get(namespace);
        return order !== undefined;
      } finally {
        database.close();
      }
    },
    open() {
      store = sqliteStore(file, { namespace });
      return store;
    },
    close: () => store?.close(),
  };
}

async function inRedis(url: string, namespace: string): Promise<Place> {
  const { createClient } = await import("redis");
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // whoever waits for an answer is told
  await client.connect();
  const prefix = `payments:${encodeURIComponent(namespace)}:order:`;
  return {
    async hasOrders() {
      const MATCH = `${prefix.replaceAll("*", "\\*")}*`;
      for await (const keys of client.scanIterator({ MATCH, COUNT: 1_000 })) {
        if (keys.length > 0) return true;
      }
      return false;
    },
    open: () => redisStore(client, { namespace }),
    close: () => client.close(),
  };
}

async function inPostgres(connectionString: string, namespace: string): Promise<Place> {
  const { Pool } = await import("pg");
  const pool = new Pool({ connectionString });
  pool.on("error", () => undefined);
  return {
    async hasOrders() {
      const { rowCount } = await pool.query(`${ANY_ORDER} WHERE orders.namespace = $1 LIMIT 1`, [namespace]);
      return rowCount === 1;
    },
    open: () => postgresStore(pool, { namespace }),
    close: () => pool.end(),
  };
}
