import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "payments-sdk/idempotency";
import pg from "pg";
import { startPostgres } from "../../support/postgres-server.ts";
import { DURABLE, startRedis } from "../../support/redis-server.ts";
import type { DatabaseAddress } from "./databases.ts";

export const DATABASE_KINDS = ["sqlite", "redis", "postgres"] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** A database that holds nothing yet. */
export interface StartedDatabase {
  readonly address: DatabaseAddress;
  /** Nothing of it is left then. */
  stop(): Promise<void>;
}

/** As the documentation says that it has to be: what was confirmed is on the disk. */
export async function startDatabase(kind: DatabaseKind): Promise<StartedDatabase> {
  switch (kind) {
    case "sqlite": {
      const folder = mkdtempSync(join(tmpdir(), "payments-sdk-crash-"));
      const stop = async () => rmSync(folder, { recursive: true, force: true });
      return { address: { kind, path: join(folder, "payments.db") }, stop };
    }
    case "redis": {
      const { path, stop } = await startRedis(...DURABLE);
      return { address: { kind, path }, stop };
    }
    case "postgres": {
      const { address, stop } = await startPostgres({ fsync: "on" });
      const pool = new pg.Pool(address);
      await postgresStore(pool).migrate();
      await pool.end();
      return { address: { kind, ...address }, stop };
    }
  }
}
