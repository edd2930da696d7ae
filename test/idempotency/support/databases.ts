import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type MysqlClient,
  memoryStore,
  mysqlStore,
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type RedisClient,
  redisStore,
  sqliteStore,
} from "payments-sdk/idempotency";
import { type StoreFeatures, storeTests, type TestDatabase } from "payments-sdk/testing";
import type { Client } from "pg";
import { describe, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type MysqlDatabase, migratedDatabase } from "./mysql.ts";
import { migratedSchema, type Schema } from "./postgres.ts";
import { nodeRedis, type Reachable, sharedRedis } from "./redis.ts";

/** Each store of the package on a separate database, whose clock can be advanced. */

export interface Database extends TestDatabase {
  readonly store: (options?: {
    readonly namespace?: string | undefined;
  }) => PaymentsStore | Promise<PaymentsStore>;
  readonly advance: (ms: number) => void | Promise<void>;
}

export const RETENTION_DAYS = 400;

export function describeStore(
  name: string,
  open: () => TestDatabase | Promise<TestDatabase>,
  features?: StoreFeatures,
  only = /(?:)/,
): void {
  describe(name, () => {
    for (const { name, run } of storeTests(open, features)) if (only.test(name)) test(name, run);
  });
}

export async function memory(): Promise<Database> {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    store: () => memoryStore(),
    advance: (ms) => void vi.advanceTimersByTime(ms),
  };
}

export async function sqlite(): Promise<Database> {
  const file = join(temporaryFolder(), "store.db");
  vi.spyOn(Math, "random").mockReturnValue(0); // each store cleans up before its first change
  return {
    store: (options) => {
      const store = sqliteStore(file, options);
      onTestFinished(() => store.close());
      return store;
    },
    advance: (ms) => {
      const database = new DatabaseSync(file);
      for (const table of ["payments_orders", "payments_postbacks"]) {
        database.prepare(`UPDATE ${table} SET changed_at = changed_at - ?`).run(ms);
      }
      database.close();
    },
  };
}

/** Opens stores whose namespaces begin with a text, and hides it: other tests use the same database. */
export function inOwnNamespaces(
  own: string,
  open: (namespace: string) => Promise<PaymentsStore>,
): Database["store"] {
  const prefix = `${own}/`;
  return async ({ namespace = "default" } = {}) => {
    const store = await open(prefix + namespace);
    const { namespaces } = store;
    const ownNamespaces = async () =>
      (await namespaces()).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    return Object.assign(store, {
      namespaces: ownNamespaces,
      list: ofOwn(prefix, store.list),
      unresolved: ofOwn(prefix, store.unresolved),
      openPostbacks: ofOwn(prefix, store.openPostbacks),
    });
  };
}

function ofOwn<Options, Item extends { readonly namespace?: string }>(
  prefix: string,
  list: (options?: Options) => AsyncIterable<Item>,
) {
  return async function* (options?: Options) {
    for await (const item of list(options)) {
      if (item.namespace === undefined) yield item;
      else if (item.namespace.startsWith(prefix))
        yield { ...item, namespace: item.namespace.slice(prefix.length) };
    }
  };
}

let sharedSchema: Promise<Schema> | undefined;

export async function postgres(connect: (schema: Schema) => Promise<PostgresClient>): Promise<Database> {
  sharedSchema ??= migratedSchema();
  const schema = await sharedSchema;
  return postgresAt(
    () => schema.client(),
    () => connect(schema),
  );
}

/** @param connectAdmin - Connects to the same database with pg. */
export function postgresAt(
  connectAdmin: () => Promise<Client>,
  connect: () => Promise<PostgresClient>,
): Database {
  const own = randomUUID();
  return {
    store: inOwnNamespaces(own, async (namespace) => {
      const client = await connect();
      const random = vi.spyOn(Math, "random").mockReturnValueOnce(-1); // its first cleanup has no delay
      const store = postgresStore(client, { namespace });
      random.mockRestore();
      return store;
    }),
    advance: async (ms) => {
      const client = await connectAdmin();
      const earlier = `changed_at = changed_at - interval '${ms} milliseconds' WHERE namespace LIKE '${own}/%'`;
      await client.query(`UPDATE payments_orders SET ${earlier}; UPDATE payments_postbacks SET ${earlier}`);
    },
  };
}

let sharedDatabase: Promise<MysqlDatabase> | undefined;

export async function mysql(connect: (database: MysqlDatabase) => Promise<MysqlClient>): Promise<Database> {
  sharedDatabase ??= migratedDatabase();
  const database = await sharedDatabase;
  const own = randomUUID();
  return {
    store: inOwnNamespaces(own, async (namespace) => mysqlStore(await connect(database), { namespace })),
    advance: async (ms) => {
      vi.spyOn(Math, "random").mockReturnValue(0); // the first cleanup of a store is at a random time
      const pool = await database.pool();
      for (const table of ["payments_orders", "payments_postbacks"]) {
        await pool.query(
          `UPDATE ${table} SET created_at = created_at - INTERVAL ? MICROSECOND,
             changed_at = changed_at - INTERVAL ? MICROSECOND WHERE namespace LIKE ?`,
          [ms * 1_000, ms * 1_000, `${own}/%`],
        );
      }
    },
  };
}

/** Makes a value of a store older, and its expiry closer, by so many milliseconds. */
const ADVANCE = `
if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return end
local state, version, at, text = string.match(redis.call('GET', KEYS[1]), '^(%a+) (%S+) (%d+) (.*)$')
local ttl = redis.call('PTTL', KEYS[1])
local older = string.format('%s %s %.0f %s', state, version, at - ARGV[1], '') .. text
redis.call('SET', KEYS[1], older)
if ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl - ARGV[1]) end
`;

export async function redis(connect: (server: Reachable) => Promise<RedisClient>): Promise<Database> {
  const server = await sharedRedis();
  const own = randomUUID();
  return {
    store: inOwnNamespaces(own, async (namespace) => redisStore(await connect(server), { namespace })),
    advance: async (ms) => {
      const client = await nodeRedis(server);
      for (const key of await client.keys(`payments:${own}*`)) {
        await client.eval(ADVANCE, { keys: [key], arguments: [String(ms)] });
      }
    },
  };
}
