import { existsSync, statSync } from "node:fs";
import { Redis } from "ioredis";
import pg from "pg";
import type { DatabaseAddress } from "../crash/databases.ts";

/** Bytes of the records of the store. */
export async function sizeOf(address: DatabaseAddress): Promise<number> {
  if (address.kind === "sqlite") {
    const files = [address.path, `${address.path}-wal`].filter((path) => existsSync(path));
    return files.reduce((sum, path) => sum + statSync(path).size, 0);
  }
  if (address.kind === "redis") {
    const client = new Redis(address.path);
    const info = await client.info();
    client.disconnect();
    return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
  }
  if (address.kind !== "postgres") throw new Error(`The size of ${address.kind} cannot be read.`);
  const { kind: _, ...connection } = address;
  const client = new pg.Client(connection);
  await client.connect();
  const sum = "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class";
  const { rows } = await client.query(`${sum} WHERE relkind = 'r' AND relname LIKE 'payments%'`);
  await client.end();
  return Number(rows[0]?.bytes);
}
