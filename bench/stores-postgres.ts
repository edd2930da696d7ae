// The benchmark of the stores on PostgreSQL.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Client, Pool } from "pg";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";
import { inRounds, median, medianOf, type Results, startWorker } from "./helpers.ts";
import { openShopByHand, TABLES } from "./stores-by-hand.ts";
import type { Row } from "./stores-rows.ts";
import {
  type Build,
  countOf,
  createTemplates,
  forEachOrder,
  openShop,
  type Shop,
  showMs,
  TEMPLATES,
  timed,
  transactionIdOf,
} from "./stores-shop.ts";
import type { ListFigures, WorkerSettings } from "./stores-worker.ts";

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
/** Of the filled orders; one more is the template. */
const UNRESOLVED = 99;
const NAMESPACES = 1_000;
/** Postbacks in a second. */
const RATE = 200;
const SLICES = 3;
const CALLS_AT_SIGTERM = 160;

export interface BenchOptions {
  readonly build: Build;
  /** Where the build is, for other processes. */
  readonly folder: string;
  /** Filled rows, in increasing order. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Orders in a round. */
  readonly calls: number;
  /** Seconds of postbacks at a constant rate, for each contender. */
  readonly seconds: number;
  readonly log: (step: string) => void;
}

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
  const size = options.sizes.at(-1) ?? 0;
  const rows = [
    ...toCostRows(costs),
    await measureCleanup(server, size, options),
    ...(await measureLists(server, size, options)),
    await measureLoad(server, size, options),
    await measureSigterm(server, size, options),
  ];
  await server.stop();
  return rows;
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
  const { build, log, seconds } = options;
  const schema = toSchema(owner, size);
  log(`PostgreSQL, ${size} orders: filling ${schema}`);
  await using client = await connect(server, schema);
  await client.query(`CREATE SCHEMA ${schema}`);
  const { pool } = openPool(server, schema, 2);
  const store = build.postgresStore(pool);
  if (owner === "hand") await pool.query(TABLES);
  else await store.migrate();
  const shop = owner === "hand" ? openShopByHand(pool, false) : openShop(build, store);
  await createTemplates(shop);
  await shop.close();
  await pool.end();
  await saveTemplates(client, schema);
  const step = Math.floor(size / UNRESOLVED);
  const mix = `CASE WHEN g % ${step} = 1 AND g <= ${step * UNRESOLVED} THEN ${TEMPLATES.unresolved}
    WHEN g % 10 = 0 THEN ${TEMPLATES.free} ELSE ${TEMPLATES.paid} END`;
  await copyTemplates(client, 1, size, mix);
  // The postbacks of these arrive later.
  await copyTemplates(client, size + 1, size + RATE * seconds, String(TEMPLATES.pending));
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

/** @param namespace - SQL; the rows keep theirs without it. */
async function copyTemplates(client: Client, from: number, to: number, template: string, namespace?: string) {
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
      if (column === "namespace" && namespace !== undefined) return namespace;
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
  /** Statements that delete old rows. They are not sent: their cost is measured alone. */
  readonly cleanups: { readonly text: string; readonly values: readonly string[] }[];
}

/** Counts what a connection really sends, whatever part of the pool the contender uses. */
function openPool({ address }: PostgresServer, schema: string, max: number): CountingPool {
  const options = `-c search_path=${schema}`;
  const pool = new Pool({ ...address, max, options, application_name: schema, idleTimeoutMillis: 0 });
  pool.on("error", () => undefined);
  const counting: CountingPool = { pool, count: 0, cleanups: [] };
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((first: string | { text: string; values: string[] }, ...rest: unknown[]) => {
      const { text, values } =
        typeof first === "string" ? { text: first, values: rest[0] as string[] } : first;
      if (!/DELETE FROM\s+payments_/i.test(text)) {
        counting.count += 1;
        return query(first, ...rest);
      }
      counting.cleanups.push({ text, values });
      const [done] = rest.slice(-1);
      if (typeof done !== "function") return Promise.resolve({ rows: [] });
      return void setImmediate(() => done(null, { rows: [] }));
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
  { build, rounds, calls, seconds }: BenchOptions,
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
  await add(STORE, "store", (pool) => openShop(build, build.postgresStore(pool)));
  if (hasNamedStatements(build))
    await add(STORE_NAMED, "store", (pool) => openShop(build, build.postgresStore(pool, NAMED)));

  let next = size + RATE * seconds + 1;
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

/** Options that an older build does not have. */
const NAMED: object = { commits: true, prepare: true };

function hasNamedStatements({ postgresStore }: Build): boolean {
  try {
    const client = { query: async () => [], connect: async () => undefined }; // as a pool of pg
    postgresStore(client, NAMED);
    return true;
  } catch {
    return false; // an unknown option
  }
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
    costs.map((cost) => (cost.results.has(name) ? show(cost.results, name, cost) : "")).join(" / ");
  const row = (
    label: string,
    goal: string,
    show: (results: Results, name: string, cost: Costs) => string,
  ): Row => ({
    label: `PostgreSQL: ${label}`,
    goal,
    byHand: cell(HAND, show),
    store: cell(STORE, show),
    withOptions: costs[0]?.results.has(STORE_NAMED) ? cell(STORE_NAMED, show) : undefined,
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

// Cleanup

async function measureCleanup(
  server: PostgresServer,
  size: number,
  { build, log }: BenchOptions,
): Promise<Row> {
  log("PostgreSQL: cleanup with nothing due");
  const schema = toSchema("store", size);
  const counting = openPool(server, schema, 2);
  const shop = openShop(build, build.postgresStore(counting.pool));
  await withFastClock(async (advance) => {
    for (let order = 1; order <= 10 && counting.cleanups.length === 0; order += 1) {
      await shop.create(2 * size + order + 1_000_000);
      advance(25 * 60 * 60_000);
      await pause(50);
    }
  });
  await shop.close();
  await counting.pool.end();
  await using client = await connect(server, schema);
  const texts = new Map(counting.cleanups.map((statement) => [statement.text, statement]));
  let [blocks, ms] = [0, 0];
  for (const { text, values } of texts.values()) {
    const plans: { blocks: number; ms: number }[] = [];
    for (let run = 0; run < 3; run += 1) {
      await client.query("BEGIN");
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
      await client.query("ROLLBACK");
      const [{ Plan: plan, "Execution Time": took }] = rows[0]["QUERY PLAN"];
      plans.push({ blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], ms: took });
    }
    blocks = Math.max(blocks, median(plans.map((plan) => plan.blocks)));
    ms = Math.max(ms, median(plans.map((plan) => plan.ms)));
  }
  const store = texts.size === 0 ? "not seen" : `${blocks.toFixed(0)} blocks, ${showMs(ms)}`;
  return { label: `PostgreSQL: cleanup with nothing due, ${size} orders`, goal: "10 blocks, 1 ms", store };
}

/** Timers end within milliseconds, and the clocks can be advanced: a cleanup may wait for minutes or changes. */
async function withFastClock(run: (advance: (ms: number) => void) => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const [now, date] = [performance.now, Date.now];
  let offset = 0;
  const isMinutes = (ms: unknown): boolean => Number(ms) > 45_000; // longer than a call may take
  globalThis.setTimeout = ((work: () => void, ms?: number, ...args: []) =>
    setTimeout(work, isMinutes(ms) ? 5 : ms, ...args)) as typeof setTimeout;
  performance.now = () => now.call(performance) + offset;
  Date.now = () => date() + offset;
  try {
    await run((ms) => {
      offset += ms;
    });
  } finally {
    globalThis.setTimeout = setTimeout;
    performance.now = now;
    Date.now = date;
  }
}

// Lists

async function measureLists(server: PostgresServer, size: number, options: BenchOptions): Promise<Row[]> {
  const { build, folder, log } = options;
  const schema = toSchema("store", size);
  const rows: Row[] = [];
  const counting = openPool(server, schema, 2);
  const store = build.postgresStore(counting.pool);
  log("PostgreSQL: unresolved orders");
  let found = 0;
  const ms = await timed(9, async () => {
    found = await countOf(store.unresolved());
  });
  rows.push({
    label: `PostgreSQL: ${found} unresolved of ${size}`,
    goal: "10 ms",
    store: showMs(ms),
  });

  log("PostgreSQL: the whole list");
  rows.push(
    await measureList(`PostgreSQL: list of ${size}`, "15 s", {
      folder,
      role: "list",
      postgres: { ...server.address, schema },
    }),
  );

  log(`PostgreSQL: ${NAMESPACES} namespaces`);
  await using client = await connect(server, schema);
  await copyTemplates(
    client,
    4 * size,
    4 * size + NAMESPACES - 1,
    String(TEMPLATES.unresolved),
    "'shop-' || g",
  );
  await client.query("ANALYZE");
  let statements = 0;
  const everywhere = await timed(5, async () => {
    const before = counting.count;
    await countEverywhere(build, counting.pool, store);
    statements = counting.count - before;
  });
  await counting.pool.end();
  return [
    ...rows,
    {
      label: `PostgreSQL: ${NAMESPACES} namespaces, unresolved of all`,
      goal: "1 statement, 5 ms",
      store: `${statements} statements, ${showMs(everywhere)}`,
    },
  ];
}

async function countEverywhere(build: Build, pool: Pool, store: ReturnType<Build["postgresStore"]>) {
  try {
    const count = await countOf(store.list({ state: "unresolved", namespace: "*" }));
    if (count > NAMESPACES) return;
  } catch {
    // an older build
  }
  for (const namespace of await store.namespaces())
    await countOf(build.postgresStore(pool, { namespace }).unresolved());
}

/** In a process of its own. */
export async function measureList(label: string, goal: string, settings: WorkerSettings): Promise<Row> {
  await using worker = startWorker(WORKER, [JSON.stringify(settings)]);
  const { count, seconds, stallMs, grownMB } = await worker.ask<ListFigures>({});
  if (count === 0) throw new Error("Nothing was listed.");
  return {
    label,
    goal: `${goal}, stall 20 ms, 60 MB`,
    store: `${seconds.toFixed(1)} s, stall ${stallMs.toFixed(0)} ms, ${grownMB.toFixed(0)} MB`,
  };
}

const WORKER = new URL("stores-worker.ts", import.meta.url).pathname;

// Postbacks at a constant rate

async function measureLoad(server: PostgresServer, size: number, options: BenchOptions): Promise<Row> {
  const { folder, seconds, log } = options;
  await using client = await connect(server, toSchema("hand", size));
  await client.query("CREATE TABLE bare (id bigint PRIMARY KEY, received_at timestamptz, body text)");
  const took = { bare: [] as number[], hand: [] as number[], store: [] as number[] };
  const names = ["bare", "hand", "store"] as const;
  const toWorker = (name: (typeof names)[number]) => {
    const postgres = { ...server.address, schema: toSchema(name === "store" ? "store" : "hand", size) };
    const settings: WorkerSettings = { folder, role: "load", contender: name, postgres };
    return startWorker(WORKER, [JSON.stringify(settings)]);
  };
  await using bare = toWorker("bare");
  await using hand = toWorker("hand");
  await using store = toWorker("store");
  const workers = { bare, hand, store };
  const count = Math.floor((RATE * seconds) / SLICES);
  for (let slice = 0; slice < SLICES; slice += 1) {
    for (const name of names) {
      log(`PostgreSQL: ${count} postbacks at ${RATE} a second, ${name}`);
      const task = { first: size + 1 + slice * count, count, rate: RATE };
      took[name].push(...(await workers[name].ask<number[]>(task)));
    }
  }
  const show = (values: readonly number[]) => {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
    return `${at(0.5)}, ${at(0.99)} ms`;
  };
  return {
    label: `PostgreSQL: postbacks at ${RATE} a second, p50, p99 (a bare INSERT: ${show(took.bare)})`,
    goal: "p99 200 ms",
    byHand: show(took.hand),
    store: show(took.store),
  };
}

// SIGTERM

async function measureSigterm(server: PostgresServer, size: number, options: BenchOptions): Promise<Row> {
  const { build, folder, log } = options;
  log(`PostgreSQL: SIGTERM with ${CALLS_AT_SIGTERM} calls in flight`);
  const postgres = { ...server.address, schema: toSchema("store", size) };
  const namespace = "sigterm";
  const settings: WorkerSettings = { folder, role: "sigterm", postgres, namespace };
  await using worker = startWorker(WORKER, [JSON.stringify(settings)]);
  await worker.ask({ first: 8 * size, count: CALLS_AT_SIGTERM });
  const exited = new Promise((resolve) => worker.child.once("exit", resolve));
  worker.child.kill("SIGTERM");
  await exited;
  const { pool } = openPool(server, postgres.schema, 2);
  const left = await countOf(build.postgresStore(pool, { namespace }).list({ state: "claimed" }));
  await pool.end();
  return {
    label: `PostgreSQL: SIGTERM with ${CALLS_AT_SIGTERM} calls in flight, orders left claimed`,
    goal: "0",
    store: String(left),
  };
}
