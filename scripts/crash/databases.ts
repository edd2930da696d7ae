import {
  mysqlStore,
  type PaymentsStore,
  postgresStore,
  redisStore,
  type StoreOptions,
  sqliteStore,
} from "payments-sdk/idempotency";
import type { MariadbServer } from "../../test/support/mariadb-server.ts";
import type { PostgresServer } from "../../test/support/postgres-server.ts";

export const DATABASE_KINDS = ["sqlite", "redis", "mariadb", "postgres"] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** The address of the store. */
export type DatabaseAddress =
  | { readonly kind: "sqlite" | "redis"; readonly path: string }
  | ({ readonly kind: "mariadb" } & MariadbServer["address"])
  | ({ readonly kind: "postgres" } & PostgresServer["address"]);

/** A store with its own connections. Only its driver is loaded: a thousand processes do this. */
export async function openStore(
  address: DatabaseAddress,
  options: StoreOptions = {},
): Promise<{ store: PaymentsStore; close: () => unknown }> {
  if (address.kind === "sqlite") {
    const store = sqliteStore(address.path, options);
    return { store, close: () => store.close() };
  }
  if (address.kind === "redis") {
    const { Redis } = await import("ioredis");
    const limits = { enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 5_000 };
    const client = new Redis(address.path, { ...limits, lazyConnect: true });
    client.on("error", ignore);
    await client.connect();
    return { store: redisStore(client, options), close: () => client.disconnect() };
  }
  if (address.kind === "mariadb") {
    const { createPool } = await import("mysql2/promise");
    const { kind: _, ...connection } = address;
    const pool = createPool({ ...connection, connectionLimit: 4 });
    return { store: mysqlStore(pool, options), close: () => pool.end() };
  }
  const { kind: _, ...connection } = address;
  const { default: pg } = await import("pg");
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
  const pool = new pg.Pool({ ...connection, ...limits, max: 4 });
  pool.on("error", ignore);
  return { store: postgresStore(pool, options), close: () => pool.end() };
}

/** The connection was lost: the next operation of the store fails, or connects again. */
function ignore(): void {}
