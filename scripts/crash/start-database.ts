import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { mysqlStore, postgresStore } from "payments-sdk/idempotency";
import pg from "pg";
import { startMariadb } from "../../test/support/mariadb-server.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { DURABLE, startRedis } from "../../test/support/redis-server.ts";
import type { DatabaseAddress, DatabaseKind } from "./databases.ts";

export interface Database {
  readonly address: DatabaseAddress;
  /** Kills the server and starts it again, with all data that it has confirmed. Missing without a server to restart. */
  readonly restart?: () => Promise<void>;
}

/** An empty database, configured to write confirmed data to the disk, as the documentation requires. */
export async function startDatabase(
  kind: DatabaseKind,
  folder: string,
  cleanup: AsyncDisposableStack,
): Promise<Database> {
  if (kind === "sqlite") return { address: { kind, path: join(folder, "payments.db") } };
  if (kind === "redis") {
    const { path, stop, kill, start } = await startRedis(...DURABLE);
    cleanup.defer(stop);
    return { address: { kind, path }, restart: () => kill().then(start) };
  }
  if (kind === "mariadb") {
    const { address, stop } = await startMariadb({ "innodb-flush-method": "fsync" });
    cleanup.defer(stop);
    const connection = await createConnection(address);
    await mysqlStore(connection).migrate();
    await connection.end();
    return { address: { kind, ...address } };
  }
  const { address, stop, crash } = await startPostgres({ fsync: "on" });
  cleanup.defer(stop);
  const pool = new pg.Pool(address);
  await postgresStore(pool).migrate();
  await pool.end();
  return { address: { kind, ...address }, restart: crash };
}
