import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import type { Pool } from "pg";
import { describe, expect, test } from "vitest";
import { createdAs, LEASE, NOT_CREATED, ORDER, stateOf } from "../support/orders.ts";
import { migratedSchema } from "./support/schema.ts";

const DAY = { retentionDays: 1 };

/** Fills the table: what has ended, and what is open, so many hours ago. */
async function write(
  pool: Pool,
  name: string,
  { isOpen = false, hoursAgo = 25, count = 1, namespace = "default" },
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

/** The first end of a store is followed by a clean-up. */
async function endOne(pool: Pool, store = postgresStore(pool, DAY)) {
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, createdAs());
}

/** Lets a test wait for a clean-up, which nobody else does. */
function watched(pool: Pool) {
  const cleanUps: Promise<unknown>[] = [];
  const client: PostgresClient = {
    query: (text, values) => {
      const answer = pool.query(text, values);
      if (text.includes("DELETE")) cleanUps.push(answer);
      return answer;
    },
  };
  return { client, cleanUps };
}

describe("what is kept", () => {
  test("is what is open, or has ended less than the days of retention ago", async () => {
    const pool = await (await migratedSchema()).pool();
    await write(pool, "ended long ago ", {});
    await write(pool, "ended lately ", { hoursAgo: 23 });
    await write(pool, "open ", { isOpen: true, hoursAgo: 24 * 4_000 });
    await write(pool, "of another namespace ", { namespace: "other" });

    await endOne(pool);

    await expect
      .poll(() => names(pool))
      .toEqual(["ended lately 1", "of another namespace 1", "open 1", ORDER.externalRef]);
  });

  test("is 400 days where nothing else is said", async () => {
    const pool = await (await migratedSchema()).pool();
    await write(pool, "ended 399 days ago ", { hoursAgo: 399 * 24 });
    await write(pool, "ended 401 days ago ", { hoursAgo: 401 * 24 });

    await endOne(pool, postgresStore(pool));

    await expect.poll(() => names(pool)).toEqual(["ended 399 days ago 1", ORDER.externalRef]);
  });

  test("is all but 1,000 of what is too old: the next clean-up deletes more", async () => {
    const pool = await (await migratedSchema()).pool();
    await write(pool, "ended long ago ", { count: 2_500 });

    await endOne(pool);

    await expect.poll(async () => (await names(pool)).length).toBe(1_501);
  });

  test("is looked at again after 1,000 changes", async () => {
    const pool = await (await migratedSchema()).pool();
    const { client, cleanUps } = watched(pool);
    const store = postgresStore(client, DAY);
    await endOne(pool, store);
    await Promise.all(cleanUps);
    await write(pool, "ended long ago ", {});

    for (let change = 0; change < 500; change += 1) {
      const order = { ...ORDER, externalRef: "another", owner: String(change) };
      await store.claim(order, LEASE); // the first one adds
      await store.end(order, NOT_CREATED);
    }
    expect(await names(pool)).toContain("ended long ago 1");
    await store.claim({ ...ORDER, externalRef: "another", owner: "last" }, LEASE);
    await store.end({ ...ORDER, externalRef: "another", owner: "last" }, NOT_CREATED);

    await expect.poll(() => names(pool)).not.toContain("ended long ago 1");
  });
});

describe("a clean-up", () => {
  test("that fails lets the operation succeed", async () => {
    const pool = await (await migratedSchema()).pool();
    const failures: unknown[] = [];
    const store = postgresStore({
      query: async (text, values) => {
        if (!text.includes("DELETE")) return pool.query(text, values);
        failures.push(text);
        throw new Error("permission denied");
      },
    });

    await endOne(pool, store);

    expect(failures).toHaveLength(1);
    expect(await stateOf(store)).toBe("created");
  });

  test("waits for nobody, and nobody waits for it", async () => {
    const schema = await migratedSchema();
    const pool = await schema.pool();
    const holder = await schema.client();
    await write(pool, "held ", {});
    await write(pool, "not held ", {});
    await holder.query("BEGIN; SELECT * FROM payments_orders WHERE key = 'held 1' FOR UPDATE");

    await endOne(pool);

    await expect.poll(() => names(pool)).toEqual(["held 1", ORDER.externalRef]);
    await holder.query("ROLLBACK");
  });

  test("leaves what is changed while it looks", async () => {
    const schema = await migratedSchema();
    const pool = await schema.pool();
    const holder = await schema.client();
    await write(pool, "claimed again ", {});
    await holder.query("BEGIN");
    await holder.query(
      "UPDATE payments_orders SET is_open = true, changed_at = clock_timestamp() WHERE key = 'claimed again 1'",
    );

    const meanwhile = watched(pool);
    await endOne(pool, postgresStore(meanwhile.client, DAY));
    await Promise.all(meanwhile.cleanUps);
    await holder.query("COMMIT");
    const afterwards = watched(pool);
    await endOne(pool, postgresStore(afterwards.client, DAY));
    await Promise.all(afterwards.cleanUps);

    expect([meanwhile.cleanUps.length, afterwards.cleanUps.length]).toEqual([1, 1]);
    expect(await names(pool)).toContain("claimed again 1");
  });
});
