import { randomUUID } from "node:crypto";
import { createConnection, type Pool } from "mysql2/promise";
import { type MysqlClient, mysqlStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { missingMariadb, startMariadb } from "../../support/mariadb-server.ts";
import { type MysqlDatabase, migratedDatabase, newDatabase } from "../support/mysql.ts";
import { attempt, by, createdAs, LEASE, listed, ORDER, REF, UNKNOWN } from "../support/orders.ts";

const inMariadb = describe.skipIf(missingMariadb !== undefined);

const TABLES = ["payments_orders", "payments_postbacks"];

/** A pool of a user with some permissions on the tables. */
async function userOf({ name, pool }: MysqlDatabase, permissions: string) {
  const [admin, user] = [await pool(), randomUUID().slice(0, 30)];
  await admin.query(`CREATE USER '${user}'@'localhost'`);
  for (const table of TABLES)
    await admin.query(`GRANT ${permissions} ON ${name}.${table} TO '${user}'@'localhost'`);
  return pool({ user });
}

inMariadb("migrate()", () => {
  test("creates the tables once if several processes call it at the same time", async () => {
    const database = await newDatabase();
    const stores = await Promise.all(
      Array.from({ length: 5 }, async () => mysqlStore(await database.pool())),
    );

    await Promise.all(stores.map((store) => store.migrate()));
    await stores[0]?.claim(ORDER, LEASE);
    await Promise.all(stores.map((store) => store.migrate()));

    expect(await stores[1]?.claim(by("b"), LEASE)).toMatchObject({ state: "claimed" });
    expect(await stores[0]?.check()).toEqual([]);
  });

  test("creates tables that need longer keys than the row format of the server has", async () => {
    const pool = await (await newDatabase()).pool();
    await pool.query("SET GLOBAL innodb_default_row_format = compact");
    onTestFinished(async () => void (await pool.query("SET GLOBAL innodb_default_row_format = dynamic")));
    const store = mysqlStore(pool);

    await store.migrate();

    expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  });

  test("accepts the type JSON of MariaDB, which is a text with a check", async () => {
    const pool = await (await migratedDatabase()).pool();
    await pool.query("ALTER TABLE payments_orders MODIFY body JSON NOT NULL");
    const store = mysqlStore(pool);
    await attempt(store, UNKNOWN);

    expect(await store.check()).toEqual([]);
    expect(await listed(store)).toMatchObject([{ externalRef: REF }]);
  });

  test("needs no permission to create tables if they exist", async () => {
    const store = mysqlStore(await userOf(await migratedDatabase(), "SELECT, INSERT, UPDATE, DELETE"));

    await store.migrate();

    expect(await store.check()).toEqual([]);
    expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  });
});

inMariadb("check() reports", () => {
  test.each<[string, (database: MysqlDatabase) => Promise<MysqlClient>, "error" | "warning", RegExp]>([
    ["missing tables", async () => (await newDatabase()).pool(), "error", /payments_orders does not exist/],
    [
      "that outcomes cannot be recorded",
      (database) => userOf(database, "SELECT, INSERT, DELETE"),
      "error",
      /UPDATE command denied .*payments_orders/,
    ],
    [
      "that old records cannot be deleted",
      (database) => userOf(database, "SELECT, INSERT, UPDATE"),
      "error",
      /DELETE command denied .*payments_orders/,
    ],
    ...(
      [
        [
          "a missing column",
          "DROP COLUMN is_open, DROP INDEX payments_orders_open",
          "error",
          /must have is_open TINYINT NOT NULL/,
        ],
        ["a missing index", "DROP INDEX payments_orders_created", "warning", /must have KEY .+_created/],
        ["another type", "MODIFY changed_at TIMESTAMP NOT NULL", "error", /must have changed_at DATETIME/],
      ] as const
    ).map(([what, change, level, message]) => {
      const alter = async (database: MysqlDatabase) => {
        const pool = await database.pool();
        await pool.query(`ALTER TABLE payments_orders ${change}`);
        return pool;
      };
      return [what, alter, level, message] as [string, typeof alter, typeof level, RegExp];
    }),
  ])("%s", async (_what, open, level, message) => {
    const problems = await mysqlStore(await open(await migratedDatabase())).check();

    expect(problems).toContainEqual({ level, message: expect.stringMatching(message) });
  });
});

test.skipIf(missingMariadb !== undefined)(
  "the first create call warns of settings with which a power failure loses payments, and check() reports them",
  async () => {
    const server = await startMariadb({
      "innodb-flush-log-at-trx-commit": "0",
      "log-bin": "log",
      "sync-binlog": "0",
    });
    onTestFinished(server.stop);
    const connection = await createConnection(server.address);
    onTestFinished(() => connection.end());
    const store = mysqlStore(connection);
    await store.migrate();
    const warnings: string[] = [];
    const { payments } = await merchantWithStore(undefined, {
      store,
      onEvent: (event) => void (event.type === "warning" && warnings.push(event.message)),
    });

    await byPix(payments);

    const message = expect.stringMatching(/innodb_flush_log_at_trx_commit is 0.+sync_binlog is 0/);
    expect(warnings).toEqual([message]);
    expect(await store.check()).toEqual([{ level: "warning", message }]);
  },
);

inMariadb("lists", () => {
  test("contain an order whose reference is empty", async () => {
    const store = mysqlStore(await (await migratedDatabase()).pool());
    await attempt(store, UNKNOWN, by("a", ""));

    expect(await listed(store)).toMatchObject([{ externalRef: "" }]);
  });

  test("and reads fail if a row has no time", async () => {
    const pool = await (await migratedDatabase()).pool();
    const store = mysqlStore(pool);
    await attempt(store, UNKNOWN);
    await pool.query("ALTER TABLE payments_orders MODIFY changed_at DATETIME(6)");
    await pool.query("UPDATE payments_orders SET changed_at = NULL");

    await expect(store.get(REF)).rejects.toThrow("has no age");
    await expect(listed(store)).rejects.toThrow("has no age");
  });

  test("of all namespaces have the orders of each, in pages", async () => {
    const pool = await (await migratedDatabase()).pool();
    const stores = Array.from({ length: 205 }, (_, nth) => mysqlStore(pool, { namespace: `shop ${nth}` }));
    for (const [nth, store] of stores.entries()) await attempt(store, UNKNOWN, by("a", `order-${nth}`));
    await stores[0]?.claim(by("a", "claimed"), LEASE);

    const listed = [];
    for await (const { namespace, externalRef } of stores[3]?.list({ namespace: "*", state: "unresolved" }) ??
      [])
      listed.push(`${namespace} ${externalRef}`);

    expect(listed.toSorted()).toEqual(stores.map((_, nth) => `shop ${nth} order-${nth}`).toSorted());
  });
});

inMariadb("a cleanup", () => {
  const DAY = { retentionDays: 1 };

  async function names(pool: Pool): Promise<string[]> {
    const [rows] = await pool.query("SELECT record_key FROM payments_orders");
    return (rows as { record_key: Buffer }[]).map((row) => String(row.record_key)).toSorted();
  }

  /** Ends, or leaves open, orders of a store that was open so many hours ago. */
  async function write(pool: Pool, reference: string, hoursAgo: number, end = createdAs(), options = DAY) {
    await attempt(mysqlStore(pool, options), end, by("a", reference));
    await pool.query(
      `UPDATE payments_orders SET created_at = created_at - INTERVAL ? HOUR, changed_at = changed_at - INTERVAL ? HOUR
       WHERE record_key = ?`,
      [hoursAgo, hoursAgo, reference],
    );
  }

  test("deletes what ended before the retention of its own namespace, and of others in which no one writes any more", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const pool = await (await migratedDatabase()).pool();
    await write(pool, "ended", 25);
    await write(pool, "ended lately", 23);
    await write(pool, "open", 10_000, UNKNOWN as never);
    await write(pool, "of another namespace", 25, undefined, { ...DAY, namespace: "idle" } as never);

    await attempt(mysqlStore(pool, DAY), createdAs());

    await expect.poll(() => names(pool)).toEqual(["ended lately", "open", REF]);
  });

  test("keeps what a namespace wrote before its retention was raised, whatever the retention of others is", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const pool = await (await migratedDatabase()).pool();
    const raised = { namespace: "raised" };
    await write(pool, "early", 0, undefined, { ...DAY, ...raised } as never);
    await write(pool, "later", 0, undefined, { retentionDays: 2, ...raised } as never);
    await write(pool, "ended", 0);
    await pool.query("UPDATE payments_orders SET created_at = created_at - INTERVAL 25 HOUR");
    await pool.query("UPDATE payments_orders SET changed_at = changed_at - INTERVAL 25 HOUR");

    await attempt(mysqlStore(pool, DAY), createdAs());

    await expect.poll(() => names(pool)).toEqual(["early", "later", REF]);
    expect(await mysqlStore(pool).openPostbacks({ namespace: "*" }).next()).toMatchObject({ done: true });
  });

  test("works a backlog off in short batches, and comes at a random time after the first change of a store", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const pool = await (await migratedDatabase()).pool();
    await write(pool, "ended", 25);
    const [added] = await pool.query(`INSERT INTO payments_orders SELECT namespace, CONCAT('order-', seq), '',
      version, created_at, changed_at, is_open, body FROM payments_orders, seq_2_to_450`);
    expect(added).toMatchObject({ affectedRows: 449 });
    const execute = vi.fn((sql: string, values: string[]) => pool.execute(sql, values));
    const store = mysqlStore({ execute }, DAY);
    const count = async () => (await names(pool)).filter((name) => /^order-\d|^ended/.test(name)).length;

    await attempt(store, createdAs(), by("a", "first"));
    expect(await count()).toBe(450);
    vi.advanceTimersByTime(5 * 60_000);
    const changeAfterASecond = async () => {
      vi.advanceTimersByTime(1_000);
      await store.claim(by("a", randomUUID()), LEASE);
      return count();
    };
    await expect.poll(changeAfterASecond, { timeout: 10_000 }).toBe(0);
    expect(
      execute.mock.calls.filter(([sql]) =>
        String(sql).includes("FROM payments_orders\n      WHERE namespace = ? AND created"),
      ),
    ).toHaveLength(3);
  });

  test("examines no row if nothing is due", async () => {
    const pool = await (await migratedDatabase()).pool({ connectionLimit: 1 });
    const store = mysqlStore(pool);
    await attempt(store, createdAs());
    await pool.query(`INSERT INTO payments_orders SELECT namespace, CONCAT('order-', seq), '', version, created_at,
      changed_at, is_open, body FROM payments_orders, seq_2_to_2000`);
    await pool.query("ANALYZE TABLE payments_orders");
    const text = vi.fn((sql: string, values: string[]) => pool.execute(sql, values));
    vi.spyOn(Math, "random").mockReturnValue(0);
    await attempt(mysqlStore({ execute: text }), createdAs(), by("a", "new"));
    const findCleanup = () => text.mock.calls.find(([each]) => /DELETE.+payments_orders/s.test(String(each)));
    await expect.poll(findCleanup).toBeDefined();
    const [sql, values] = findCleanup() ?? [];

    const countReads = async () => {
      await pool.query("FLUSH STATUS");
      await pool.execute(String(sql), values);
      const [rows] = await pool.query("SHOW SESSION STATUS LIKE 'Handler_read%'");
      return (rows as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0);
    };

    // The store's own cleanup may still be using the connection.
    await expect.poll(countReads).toBeLessThan(5);
  });
});
