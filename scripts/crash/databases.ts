import {
  mysqlStore,
  type PaymentsStore,
  postgresStore,
  redisStore,
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

/** A store with its own connection. Only its driver is loaded: a thousand processes do this. */
export async function openStore(
  address: DatabaseAddress,
): Promise<{ store: PaymentsStore; close: () => unknown }> {
  if (address.kind === "sqlite") {
    const store = sqliteStore(address.path);
    return { store, close: () => store.close() };
  }
  if (address.kind === "redis") {
    const { Redis } = await import("ioredis");
    const client = new Redis(address.path, { lazyConnect: true, enableOfflineQueue: false });
    await client.connect();
    return { store: redisStore(client), close: () => client.disconnect() };
  }
  if (address.kind === "mariadb") {
    const { createPool } = await import("mysql2/promise");
    const { kind: _, ...connection } = address;
    const pool = createPool({ ...connection, connectionLimit: 4 });
    return { store: mysqlStore(pool), close: () => pool.end() };
  }
  const { kind: _, ...connection } = address;
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ ...connection, max: 4 });
  const store = postgresStore(pool);
  return { store, close: () => pool.end() };
}
