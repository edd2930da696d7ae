import { type PaymentsStore, postgresStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import type { PostgresServer } from "../../test/support/postgres-server.ts";

export const DATABASE_KINDS = ["sqlite", "redis", "postgres"] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** The address of the store. */
export type DatabaseAddress =
  | { readonly kind: "sqlite" | "redis"; readonly path: string }
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
  const { kind: _, ...connection } = address;
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ ...connection, max: 4 });
  const store = postgresStore(pool);
  return { store, close: () => pool.end() };
}
