import { existsSync, readFileSync, statSync } from "node:fs";
import { Redis } from "ioredis";
import pg from "pg";
import type { DatabaseAddress } from "../crash/databases.ts";

export interface DatabaseFigures {
  /** Of the records of the store. */
  readonly bytes: number;
  /** Missing without a server. */
  readonly pid?: number;
}

export async function readDatabase(address: DatabaseAddress): Promise<DatabaseFigures> {
  if (address.kind === "sqlite") {
    const files = [address.path, `${address.path}-wal`].filter((path) => existsSync(path));
    return { bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
  }
  if (address.kind === "redis") {
    const client = new Redis(address.path);
    const info = await client.info();
    client.disconnect();
    const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]);
    return { bytes: read("used_memory"), pid: read("process_id") };
  }
  if (address.kind !== "postgres") throw new Error(`The size of ${address.kind} cannot be read.`);
  const { kind: _, ...connection } = address;
  const client = new pg.Client(connection);
  await client.connect();
  const sum = "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class";
  const { rows } = await client.query(`${sum} WHERE relkind = 'r' AND relname LIKE 'payments%'`);
  await client.end();
  const pid = Number.parseInt(readFileSync(`${address.host}/data/postmaster.pid`, "utf8"), 10);
  return { bytes: Number(rows[0]?.bytes), pid };
}

/** The kernel counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of processes and their children, by name, also of those that have ended since. */
export class CpuTimes {
  readonly #seconds = new Map<number, readonly [name: string, seconds: number]>();

  measure(name: string, pid: number | undefined): void {
    const own = pid === undefined ? undefined : readTicks(pid);
    if (pid === undefined || own === undefined) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const running = children.reduce((sum, child) => sum + (readTicks(Number(child))?.running ?? 0), 0);
    this.#seconds.set(pid, [name, (own.running + own.endedChildren + running) / TICKS_PER_SECOND]);
  }

  sums(): Record<string, number> {
    const { user, system } = process.cpuUsage();
    const sums: Record<string, number> = { "the run itself": (user + system) / 1e6 };
    for (const [name, seconds] of this.#seconds.values()) sums[name] = (sums[name] ?? 0) + seconds;
    return sums;
  }
}

function readTicks(pid: number): { readonly running: number; readonly endedChildren: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
    return { running: user + system, endedChildren: childUser + childSystem };
  } catch {
    return undefined; // it has ended
  }
}
