// PostgreSQL through Hyperdrive. For D1, use database-d1.ts.
import type { CreatePixParams } from "payments-sdk";
import { postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";

export interface DatabaseBinding {
  readonly HYPERDRIVE: { readonly connectionString: string };
}

/** For one request: connections end with it. */
export function openDatabase({ HYPERDRIVE: { connectionString } }: DatabaseBinding) {
  const limits = { max: 1, connectionTimeoutMillis: 2_000, query_timeout: 2_000 }; // one connection
  const pool = new Pool({ connectionString, ...limits });
  pool.on("error", () => {}); // its statements fail
  return {
    store: postgresStore(pool),
    ship: (id: string) =>
      pool.query("INSERT INTO shipments (order_id) VALUES ($1) ON CONFLICT DO NOTHING", [id]),
    async findPayment(id: string) {
      const select = "SELECT payment FROM orders WHERE id = $1";
      const { rows } = await pool.query<{ payment: CreatePixParams }>(select, [id]);
      return rows[0]?.payment;
    },
    closeDatabase: () => pool.end(), // waits for the statements that the store runs in the background
  };
}
