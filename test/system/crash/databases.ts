import { type PaymentsStore, postgresStore, redisStore, sqliteStore } from "payments-sdk/idempotency";

/** Where a process finds the store. */
export type DatabaseAddress =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "redis"; readonly path: string }
  | {
      readonly kind: "postgres";
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

/** A store over a connection of its own. */
export interface OpenedStore {
  readonly store: PaymentsStore;
  close(): Promise<void>;
}

/** A driver is loaded where it is needed: a thousand processes come this way. */
export async function openStore(address: DatabaseAddress): Promise<OpenedStore> {
  switch (address.kind) {
    case "sqlite": {
      const store = sqliteStore(address.path);
      return { store, close: async () => store.close() };
    }
    case "redis": {
      const { Redis } = await import("ioredis");
      const client = new Redis(address.path, { lazyConnect: true, enableOfflineQueue: false });
      await client.connect();
      return { store: redisStore(client), close: async () => client.disconnect() };
    }
    case "postgres": {
      const { kind: _, ...connection } = address;
      const { default: pg } = await import("pg");
      const pool = new pg.Pool({ ...connection, max: 4 });
      const store = postgresStore(pool);
      return { store, close: () => pool.end() };
    }
  }
}
