import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { Pool } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { toPostgresStatements } from "../../../src/idempotency/stores/postgres-sql.ts";
import { attempt, createdAs, LEASE, ORDER, REF } from "../support/orders.ts";
import { migratedSchema } from "../support/postgres.ts";

const DAY = { retentionDays: 1 };

/** Adds orders that ended, or have been open since, so many hours ago. */
async function write(
  pool: Pool,
  name: string,
  { isOpen = false, hoursAgo = 25, count = 1, namespace = "default", days = "1" } = {},
) {
  await pool.query(
    `INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body, retention_days)
     SELECT $1, $2 || n, 'v', clock_timestamp() - make_interval(hours => $3), $4, '{}', $6
     FROM generate_series(1, $5) n`,
    [namespace, name, hoursAgo, isOpen, count, days],
  );
}

async function names(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query("SELECT key FROM payments_orders ORDER BY key");
  return rows.map(({ key }) => String(key));
}

/** Sets the first delay to zero, which is random otherwise, and returns a function that advances the clock of this process. */
function startClock() {
  let now = performance.now();
  vi.spyOn(Math, "random").mockReturnValue(-1);
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const pass = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { pass };
}

/** A client that counts cleanups, which begin at the first block of a table whatever the time is. */
function counting(pool: Pool, cleanups = { count: 0 }) {
  const query = async (text: string, values: string[]) => {
    if (text.includes("DELETE")) cleanups.count += 1;
    return pool.query(text.replace("extract(epoch FROM statement_timestamp())", "0.0"), values);
  };
  return { client: { query } satisfies PostgresClient, cleanups };
}

test("orders that ended before the retention of a store are deleted, also those of idle namespaces with the same retention", async () => {
  startClock();
  const pool = await (await migratedSchema()).pool();
  await write(pool, "ended long ago ", { count: 1_001 });
  await write(pool, "ended lately ", { hoursAgo: 23 });
  await write(pool, "open ", { isOpen: true, hoursAgo: 24 * 4_000 });
  await write(pool, "of an idle namespace ", { namespace: "idle" });
  await write(pool, "kept longer ", { namespace: "longer", days: "2" });

  await attempt(postgresStore(counting(pool).client, DAY), createdAs());

  const kept = ["ended lately 1", "kept longer 1", "open 1"];
  await expect.poll(() => names(pool)).toEqual([...kept, REF]);
});

test("a namespace whose retention was raised keeps what it wrote before, whatever the retention of others is", async () => {
  const { pass } = startClock();
  const pool = await (await migratedSchema()).pool();
  await write(pool, "raised ", { namespace: "raised" });
  const { client } = counting(pool);
  const raised = postgresStore(client, { namespace: "raised", retentionDays: 2 });
  await attempt(raised, createdAs());
  const recorded = "SELECT FROM payments_postbacks WHERE namespace = 'raised'";
  await expect.poll(async () => (await pool.query(recorded)).rowCount).toBe(1);
  pass(60);
  await write(pool, "other ");

  await attempt(postgresStore(client, DAY), createdAs());

  await expect.poll(() => names(pool)).toEqual([REF, REF, "raised 1"]);
  const open: unknown[] = [];
  for await (const postback of raised.openPostbacks({ namespace: "*" })) open.push(postback);
  expect(open).toEqual([]);
});

test("the first cleanup has a random delay, the next one is due five seconds later, for all stores of a client", async () => {
  const { pass } = startClock();
  const { client, cleanups } = counting(await (await migratedSchema()).pool());
  const change = () => postgresStore(client, DAY).renew(ORDER, LEASE);
  vi.mocked(Math.random).mockReturnValue(0.5); // of 2.5 to 5 seconds
  await postgresStore(client, DAY).claim(ORDER, LEASE);

  await change();
  expect(cleanups.count).toBe(0);
  pass(4);
  await Promise.all([change(), change()]);
  await expect.poll(() => cleanups.count).toBe(1);
  pass(4.9);
  await change();
  expect(cleanups.count).toBe(1);
  pass(1);
  await change();
  await expect.poll(() => cleanups.count).toBe(2);
});

test("a cleanup goes on while it deletes rows, 50 statements at most, and the next one continues there", async () => {
  const { pass } = startClock();
  const pool = await (await migratedSchema()).pool();
  await write(pool, "ended ", { count: 40_000 });
  const { client, cleanups } = counting(pool);
  const store = postgresStore(client, DAY);
  await store.claim(ORDER, LEASE);

  await store.renew(ORDER, LEASE);
  await expect.poll(() => cleanups.count).toBe(50);
  expect(await names(pool)).not.toEqual([REF]);
  pass(11);
  await store.renew(ORDER, LEASE);

  await expect.poll(() => names(pool), { timeout: 10_000 }).toEqual([REF]);
  expect(cleanups.count).toBeLessThan(100);
});

test("a cleanup that finds nothing to delete reads a few blocks of a large table", async () => {
  const pool = await (await migratedSchema()).pool();
  await write(pool, "ended lately ", { hoursAgo: 1, count: 50_000 });
  const { forget } = toPostgresStatements("payments_orders");

  const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${forget}`, [
    ...["id", "default", "1", "300"],
  ]);

  const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
  expect(JSON.stringify(plan)).toContain('"Tid Range Scan"');
  expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(12);
});

test("a cleanup does not wait for other transactions, and they do not wait for it", async () => {
  startClock();
  const schema = await migratedSchema();
  const pool = await schema.pool();
  const holder = await schema.client();
  await write(pool, "held ");
  await write(pool, "not held ");
  await holder.query("BEGIN; SELECT * FROM payments_orders WHERE key = 'held 1' FOR UPDATE");

  await attempt(postgresStore(counting(pool).client, DAY), createdAs());

  await expect.poll(() => names(pool)).toEqual(["held 1", REF]);
  await holder.query("ROLLBACK");
});
