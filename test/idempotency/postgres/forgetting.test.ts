import { postgresStore } from "payments-sdk/idempotency";
import type { Pool } from "pg";
import { expect, test, vi } from "vitest";
import { attempt, createdAs, LEASE, ORDER, REF, stateOf } from "../support/orders.ts";
import { migratedSchema } from "../support/postgres.ts";

const DAY = { retentionDays: 1 };

/** Adds orders that ended, or have been open since, so many hours ago. */
async function write(
  pool: Pool,
  name: string,
  { isOpen = false, hoursAgo = 25, count = 1, namespace = "default" } = {},
) {
  await pool.query(
    `INSERT INTO payments_orders (namespace, key, version, changed_at, is_open, body)
     SELECT $1, $2 || n, 'v', clock_timestamp() - make_interval(hours => $3), $4, '{}' FROM generate_series(1, $5) n`,
    [namespace, name, hoursAgo, isOpen, count],
  );
}

async function names(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query("SELECT key FROM payments_orders ORDER BY key");
  return rows.map(({ key }) => String(key));
}

test("after the first end of a store, 1,000 orders that ended before its retention are deleted, the oldest first", async () => {
  const schema = await migratedSchema();
  // Without an index, the order of the rows is not that of their time.
  const options = `-c search_path=${schema.name} -c enable_indexscan=off -c enable_bitmapscan=off`;
  const pool = await schema.pool({ options });
  await write(pool, "ended long ago ", { count: 1_001 });
  await write(pool, "ended earlier ", { hoursAgo: 50 });
  await write(pool, "ended lately ", { hoursAgo: 23 });
  await write(pool, "open ", { isOpen: true, hoursAgo: 24 * 4_000 });
  await write(pool, "of another namespace ", { namespace: "other" });

  await attempt(postgresStore(pool, DAY), createdAs());

  const left = expect.stringContaining("ended long ago");
  await expect
    .poll(() => names(pool))
    .toEqual(["ended lately 1", left, left, "of another namespace 1", "open 1", REF]);
});

test("old orders are deleted again after 1,000 changes", async () => {
  const client = await (await migratedSchema()).client();
  const query = vi.fn((text: string, values: string[]) => client.query(text, values));
  const store = postgresStore({ query });
  const cleanups = () => query.mock.calls.filter(([text]) => text.includes("DELETE")).length;
  await store.claim(ORDER, LEASE);

  for (let change = 0; change < 1_000; change += 1) await store.renew(ORDER, LEASE);
  expect(cleanups()).toBe(1);
  await store.renew(ORDER, LEASE);

  expect(cleanups()).toBe(2);
});

test("a cleanup that fails does not fail the operation", async () => {
  const pool = await (await migratedSchema()).pool();
  let failures = 0;
  const store = postgresStore({
    query: async (text, values) => {
      if (!text.includes("DELETE")) return pool.query(text, values);
      failures += 1;
      throw new Error("permission denied");
    },
  });

  await attempt(store, createdAs());

  expect(failures).toBe(1);
  expect(await stateOf(store)).toBe("created");
});

test("a cleanup does not wait for other transactions, and they do not wait for it", async () => {
  const schema = await migratedSchema();
  const pool = await schema.pool();
  const holder = await schema.client();
  await write(pool, "held ");
  await write(pool, "not held ");
  await holder.query("BEGIN; SELECT * FROM payments_orders WHERE key = 'held 1' FOR UPDATE");

  await attempt(postgresStore(pool, DAY), createdAs());

  await expect.poll(() => names(pool)).toEqual(["held 1", REF]);
  await holder.query("ROLLBACK");
});
