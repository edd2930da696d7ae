// The benchmark of the stores on PostgreSQL.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { postgresStore } from "payments-sdk/idempotency";
import { Client, Pool } from "pg";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";
import { inRounds, median, medianOf, type Results } from "./helpers.ts";
import { openShopByHand, TABLES } from "./stores-by-hand.ts";
import {
  type BenchOptions,
  createTemplates,
  forEachOrder,
  openShop,
  type Row,
  type Shop,
  TEMPLATES,
  transactionIdOf,
  UNRESOLVED,
} from "./stores-shop.ts";

/**
 * The disk has every commit before the database responds. No checkpoint and no autovacuum runs meanwhile. Images of whole
 * pages are off: their number depends on the time since the last checkpoint, not on the contender.
 */
const SETTINGS = {
  fsync: "on",
  shared_buffers: "256MB",
  max_wal_size: "32GB",
  checkpoint_timeout: "1h",
  full_page_writes: "off",
  autovacuum: "off",
};

/** Calls at a time, and connections for them. */
const IN_FLIGHT = 4;

type Owner = "hand" | "store";
const toSchema = (owner: Owner, size: number) => `${owner}_${size}`;

export async function measurePostgres(options: BenchOptions): Promise<Row[]> {
  const server = await startPostgres(SETTINGS);
  await using admin = await connect(server, "public");
  const costs: Costs[] = [];
  for (const size of options.sizes) {
    for (const owner of ["hand", "store"] as const) await fillSchema(server, owner, size, options);
    await admin.query("CHECKPOINT");
    options.log(`PostgreSQL, ${size} orders: create calls and postbacks`);
    costs.push(await measureCosts(server, admin, size, options));
  }
  await server.stop();
  return toCostRows(costs);
}

async function connect({ address }: PostgresServer, schema: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ ...address, options: `-c search_path=${schema}` });
  client.on("error", () => undefined); // the server stops first
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

// Filling

/** Creates the tables and copies rows that the contender wrote itself, with other keys, ids and times. */
async function fillSchema(server: PostgresServer, owner: Owner, size: number, options: BenchOptions) {
  const schema = toSchema(owner, size);
  options.log(`PostgreSQL, ${size} orders: filling ${schema}`);
  await using client = await connect(server, schema);
  await client.query(`CREATE SCHEMA ${schema}`);
  const { pool } = openPool(server, schema, 2);
  const store = postgresStore(pool);
  if (owner === "hand") await pool.query(TABLES);
  else await store.migrate();
  const shop = owner === "hand" ? openShopByHand(pool, false) : openShop(store);
  await createTemplates(shop);
  await shop.close();
  await pool.end();
  await saveTemplates(client, schema);
  const step = Math.floor(size / UNRESOLVED);
  const mix = `CASE WHEN g % ${step} = 1 AND g <= ${step * UNRESOLVED} THEN ${TEMPLATES.unresolved}
    WHEN g % 10 = 0 THEN ${TEMPLATES.free} ELSE ${TEMPLATES.paid} END`;
  await copyTemplates(client, 1, size, mix);
  await client.query("VACUUM (ANALYZE)");
}

/** The number of the order that a template `t` belongs to. */
const TEMPLATE = "(regexp_match(t::text, '(?:order-|4)(99999999[1-4])'))[1]::bigint";

/** Before other rows are there, because it reads all rows. */
async function saveTemplates(client: Client, schema: string): Promise<void> {
  await client.query("CREATE SCHEMA IF NOT EXISTS saved");
  for (const name of await readTables(client))
    await client.query(
      `CREATE TABLE saved.${schema}_${name} AS SELECT t.*, ${TEMPLATE} AS template FROM ${name} t`,
    );
}

async function readTables(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
  );
  return rows.map(({ name }) => name);
}

async function copyTemplates(client: Client, from: number, to: number, template: string) {
  for (const name of await readTables(client)) {
    const { rows: columns } = await client.query(
      `SELECT current_schema() || '_' || table_name AS saved, column_name AS name, data_type AS type
       FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'`,
      [name],
    );
    const saved = `saved.${columns[0]?.saved}`;
    const { rows: samples } = await client.query(`SELECT * FROM ${saved}`);
    const toValue = ({ name: column, type }: { name: string; type: string }): string => {
      const value = `x.${column}`;
      if (type.startsWith("timestamp"))
        return `CASE WHEN ${value} IS NOT NULL THEN now() - (${to} - g) * interval '300 days' / ${to} END`;
      if (samples.some((row) => UUID.test(String(row[column])))) return `gen_random_uuid()::${type}`;
      if (!samples.some((row) => /99999999[1-4]/.test(JSON.stringify(row[column])))) return value;
      const reference = `replace(${value}::text, 'order-' || x.template, 'order-' || lpad(g::text, 9, '0'))`;
      return `replace(${reference}, (${transactionIdOf(0)} + x.template)::text, (${transactionIdOf(0)} + g)::text)::${type}`;
    };
    await client.query(`
      INSERT INTO ${name} (${columns.map((column) => column.name).join(", ")})
      SELECT ${columns.map(toValue).join(", ")}
      FROM generate_series(${from}::bigint, ${to}::bigint) g JOIN ${saved} x ON x.template = (${template})
    `);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// Counting

interface CountingPool {
  readonly pool: Pool;
  /** How many statements were sent. */
  count: number;
}

/** Counts what a connection really sends, whatever part of the pool the contender uses. */
function openPool({ address }: PostgresServer, schema: string, max: number): CountingPool {
  const options = `-c search_path=${schema}`;
  const pool = new Pool({ ...address, max, options, application_name: schema, idleTimeoutMillis: 0 });
  pool.on("error", () => undefined);
  const counting: CountingPool = { pool, count: 0 };
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      counting.count += 1;
      return query(...args);
    }) as typeof client.query;
  });
  return counting;
}

// Create calls and postbacks

interface Costs {
  readonly results: Results;
  /** Share of HOT updates, by owner. */
  readonly hot: Readonly<Record<Owner, number>>;
}

const HAND = "by hand";
const HAND_NAMED = "by hand, named statements";
const STORE = "store";
const STORE_NAMED = "store, commits and prepare";

async function measureCosts(
  server: PostgresServer,
  admin: Client,
  size: number,
  { rounds, calls }: BenchOptions,
): Promise<Costs> {
  const contenders = new Map<string, CountingPool & { shop: Shop; pids: number[] }>();
  const add = async (name: string, owner: Owner, open: (pool: Pool) => Shop) => {
    const counting = openPool(server, toSchema(owner, size), IN_FLIGHT);
    const ask = () => counting.pool.query("SELECT pg_backend_pid() AS pid, pg_sleep(0.05)");
    const replies = await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
    const pids = replies.map(({ rows }) => Number(rows[0].pid));
    contenders.set(name, Object.assign(counting, { shop: open(counting.pool), pids }));
  };
  await add(HAND, "hand", (pool) => openShopByHand(pool, false));
  await add(HAND_NAMED, "hand", (pool) => openShopByHand(pool, true));
  await add(STORE, "store", (pool) => openShop(postgresStore(pool)));
  const named = { commits: true, prepare: true };
  await add(STORE_NAMED, "store", (pool) => openShop(postgresStore(pool, named)));

  let next = size + 1;
  const readWal = async () => {
    const { rows } = await admin.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes");
    return Number(rows[0].bytes);
  };
  async function run(name: string, count: number, hasPicture: boolean) {
    const contender = contenders.get(name);
    if (contender === undefined) throw new Error(name);
    const { shop, pids } = contender;
    const first = next;
    next += count;
    const before = { cpu: cpuOf(pids), wal: await readWal(), statements: contender.count };
    await forEachOrder({ first, count, inFlight: IN_FLIGHT }, async (order) => {
      await shop.create(order, { hasPicture });
      await shop.receive(order);
    });
    const { cpu, wal, statements } = before;
    return {
      cpu: (cpuOf(pids) - cpu) / count,
      wal: ((await readWal()) - wal) / count,
      statements: (contender.count - statements) / count,
    };
  }

  const names = [...contenders.keys()];
  for (const name of names) await run(name, 50, false); // to warm up
  const results = await inRounds(names, rounds, async (name) => {
    const { wal: walWithPicture } = await run(name, Math.ceil(calls / 3), true);
    return { ...(await run(name, calls, false)), walWithPicture };
  });
  for (const { shop, pool } of contenders.values()) {
    await shop.close();
    await pool.end();
  }
  return {
    results,
    hot: { hand: await readHot(admin, "hand", size), store: await readHot(admin, "store", size) },
  };
}

/** Microseconds of CPU that the processes of these connections have used. */
function cpuOf(pids: readonly number[]): number {
  const read = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
  return pids.reduce((sum, pid) => sum + read(pid), 0);
}

async function readHot(admin: Client, owner: Owner, size: number): Promise<number> {
  await pause(100); // the connections have reported it when they have ended
  const { rows } = await admin.query(
    "SELECT sum(n_tup_hot_upd) / sum(n_tup_upd) AS share FROM pg_stat_user_tables WHERE schemaname = $1",
    [toSchema(owner, size)],
  );
  return Number(rows[0].share);
}

function toCostRows(costs: readonly Costs[]): Row[] {
  const cell = (name: string, show: (results: Results, name: string, cost: Costs) => string) =>
    costs.map((cost) => show(cost.results, name, cost)).join(" / ");
  const row = (
    label: string,
    goal: string,
    show: (results: Results, name: string, cost: Costs) => string,
  ): Row => ({
    label: `PostgreSQL: ${label}`,
    goal,
    byHand: cell(HAND, show),
    store: cell(STORE, show),
    withOptions: cell(STORE_NAMED, show),
  });
  const figure = (key: string, digits: number) => (results: Results, name: string) =>
    medianOf(results, name, key).toFixed(digits);
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return [
    row("statements for a create call and its postback", "5", figure("statements", 1)),
    row("WAL bytes of both", "2,000", figure("wal", 0)),
    row("WAL bytes of both, with a picture of 8 kB", "2,000", figure("walWithPicture", 0)),
    row("HOT updates", "60 % or more", (_results, name, { hot }) =>
      percent(name === HAND ? hot.hand : hot.store),
    ),
    row("µs of database CPU for both", "", figure("cpu", 0)),
    row("database CPU beside the hand-written one", "1.3", (results, name) => {
      const baseline = results.get(name === STORE_NAMED ? HAND_NAMED : HAND) ?? [];
      const ratios = (results.get(name) ?? []).map(
        ({ cpu = 0 }, round) => cpu / (baseline[round]?.["cpu"] ?? 0),
      );
      return median(ratios).toFixed(2);
    }),
  ];
}
