// The benchmark of the stores on SQLite: the bytes of a create call, and lists.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import {
  type BenchOptions,
  countOf,
  createTemplates,
  forEachOrder,
  openShop,
  type Row,
  showMs,
  TEMPLATES,
  timed,
  transactionIdOf,
  UNRESOLVED,
} from "./stores-shop.ts";
import { measureList } from "./stores-worker.ts";

export async function measureSqlite({ calls, log }: BenchOptions, size: number): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "payments-sdk-bench-"));
  const path = join(directory, "payments.db");
  try {
    log(`SQLite: filling ${size} orders`);
    {
      using store = sqliteStore(path);
      const shop = openShop(store);
      await createTemplates(shop);
      await shop.close();
    }
    fill(path, size);
    log("SQLite: create calls");
    using store = sqliteStore(path);
    const shop = openShop(store);
    const createAll = (first: number, count: number) =>
      forEachOrder({ first, count, inFlight: 1 }, (order) => shop.create(order, { hasPicture: true }));
    await createAll(size + 1, 50); // to warm up, and for the first cleanup
    const before = readWritten();
    await createAll(size + 51, calls);
    const written = (readWritten() - before) / calls;
    await shop.close();
    log("SQLite: lists");
    let found = 0;
    const ms = await timed(9, async () => {
      found = await countOf(store.unresolved());
    });
    return [
      {
        label: "SQLite: bytes written for a create call",
        goal: "12 kB",
        store: `${(written / 1000).toFixed(1)} kB`,
      },
      { label: `SQLite: ${found} unresolved of ${size}`, goal: "10 ms", store: showMs(ms) },
      await measureList(`SQLite: list of ${size}`, "5 s", { sqlite: path }),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Bytes that this process has handed to the system to write: frames of the -wal file, and their way into the database. */
function readWritten(): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

/** Copies rows that the store wrote itself, with other keys, ids and times. */
function fill(path: string, size: number): void {
  using database = new DatabaseSync(path);
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000");
  database.function("uuid", { deterministic: false }, () => crypto.randomUUID());
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('payments_orders', 'payments_postbacks')",
  );
  const step = Math.floor(size / UNRESOLVED);
  const mix = `CASE WHEN g % ${step} = 1 AND g <= ${step * UNRESOLVED} THEN ${TEMPLATES.unresolved}
    WHEN g % 10 = 0 THEN ${TEMPLATES.free} ELSE ${TEMPLATES.paid} END`;
  for (const { name } of tables.all()) {
    const columns = database.prepare(`SELECT name, type FROM pragma_table_info('${name}')`).all();
    const toValue = ({ name: column, type }: Record<string, unknown>): string => {
      if (column === "version") return "uuid()";
      if (/_at$/.test(String(column))) return `${Date.now()} - (${size} - g) * ${300 * 86_400_000} / ${size}`;
      if (type !== "TEXT") return `x.${column}`;
      const reference = `replace(x.${column}, 'order-' || template, 'order-' || printf('%09d', g))`;
      return `replace(${reference}, ${transactionIdOf(0)} + template, ${transactionIdOf(0)} + g)`;
    };
    const names = columns.map((column) => column["name"]).join(", ");
    const number = `CAST(substr(key, instr(key, 'order-99999999') + 6, 9) AS INTEGER)`;
    database.exec(`
      WITH RECURSIVE numbers(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM numbers WHERE g < ${size}),
        x AS MATERIALIZED (SELECT *, ${number} AS template FROM ${name} WHERE key LIKE '%order-99999999%')
      INSERT INTO ${name} (${names})
      SELECT ${columns.map(toValue).join(", ")} FROM numbers JOIN x ON x.template = (${mix})
    `);
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
