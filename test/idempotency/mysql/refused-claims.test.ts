import { type MysqlClient, mysqlStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expectNotSent, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { missingMariadb } from "../../support/mariadb-server.ts";
import { aPix, failureOf } from "../../support/merchant.ts";
import { aStatementWaits, contentsOf, migratedDatabase, newDatabase } from "../support/mysql.ts";
import { attempt, by, LEASE, listed, NOT_CREATED, ORDER, REF, stateOf, UNKNOWN } from "../support/orders.ts";

/** Configurations of the server and its clients that would lose a record, or hide it. */

const inMariadb = describe.skipIf(missingMariadb !== undefined);

inMariadb.each([
  ["MariaDB", (sql: string) => sql],
  ["MySQL, for which M! is a comment", (sql: string) => sql.replace(/\/\*M!.*?\*\//g, "")],
])("reads of %s", (_server, change) => {
  test.each([
    ["inside a transaction", "START TRANSACTION", "COMMIT"],
    ["if autocommit is off", "SET autocommit = 0", "SET autocommit = 1"],
  ])("%s are refused: they would be old", async (_when, begin, end) => {
    const database = await migratedDatabase();
    const connection = await (await database.pool()).getConnection();
    const execute: MysqlClient["execute"] = (sql, values) => connection.execute(change(sql), values);
    const store = mysqlStore({ execute });
    await store.get(REF);
    await connection.query(begin);
    await connection.query("SELECT * FROM payments_orders");
    await attempt(mysqlStore(await database.pool()), UNKNOWN);

    const reads: readonly (() => Promise<unknown>)[] = [
      () => store.get(REF),
      () => store.getMany([REF]),
      () => store.stats(),
      () => store.stats({ namespace: "*" }),
      () => store.namespaces(),
      () => listed(store),
    ];
    for (const read of reads) await expect(read()).rejects.toThrow("open transaction, or autocommit is off");
    await connection.query(end);
    expect(await store.get(REF)).toMatchObject({ state: "unresolved" });
  });

  test("inside a transaction tell no one that nothing was charged", async () => {
    const database = await migratedDatabase();
    const [pool, connection] = [await database.pool(), await (await database.pool()).getConnection()];
    await connection.beginTransaction();
    await connection.query("SELECT * FROM payments_orders");
    await attempt(mysqlStore(pool), UNKNOWN);
    const execute: MysqlClient["execute"] = (sql, values) => connection.execute(change(sql), values);
    const { payments } = await merchantWithStore([], { store: mysqlStore({ execute }) });

    const error = await failureOf(payments.transactions.createPix(aPix({ amount: -5, externalRef: REF })));

    expect(error).toMatchObject({ outcome: "not_sent", mayHaveCharged: true });
  });
});

inMariadb("a claim is refused, and nothing is written,", () => {
  test.each([
    ["no primary key", "ALTER TABLE payments_orders DROP PRIMARY KEY", /must have PRIMARY KEY/],
    [
      "a key of a part of the reference",
      "ALTER TABLE payments_orders DROP PRIMARY KEY, ADD PRIMARY KEY (namespace, record_key(10))",
      /must have PRIMARY KEY/,
    ],
    [
      "keys that ignore case",
      "ALTER TABLE payments_orders MODIFY record_key VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL",
      /must have record_key VARBINARY/,
    ],
    ["short texts", "ALTER TABLE payments_postbacks MODIFY body TEXT NOT NULL", /must have body LONGTEXT/],
    ["no transactions", "ALTER TABLE payments_orders ENGINE = Aria", /must have ENGINE=InnoDB/],
    [
      "a trigger",
      "CREATE TRIGGER audit AFTER UPDATE ON payments_orders FOR EACH ROW INSERT INTO log (k) VALUES (NEW.record_key)",
      /drop TRIGGER audit/,
    ],
  ])("by a store whose tables have %s, as check() reports", async (_what, change, reason) => {
    const database = await migratedDatabase();
    const pool = await database.pool();
    await pool.query("CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, k TEXT)");
    await pool.query(change);

    await expectNotSent(mysqlStore(pool), reason);

    const problem = { level: "error", message: expect.stringMatching(reason) };
    expect(await mysqlStore(pool).check()).toEqual([problem]);
    expect(await contentsOf(database)).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    ["if autocommit is off", "SET autocommit = 0", /autocommit is off/],
    ["if the connection is read-only", "SET SESSION TRANSACTION READ ONLY", /is read-only/],
  ])("%s", async (_what, setting, reason) => {
    const database = await migratedDatabase();
    const pool = await database.pool({ connectionLimit: 1 });
    await pool.query(setting);

    await expectNotSent(mysqlStore(pool), reason);

    expect(await contentsOf(database)).toEqual([]);
  });

  test("if the database has no tables", async () => {
    await expectNotSent(mysqlStore(await (await newDatabase()).pool()), /call migrate\(\)/);
  });
});

inMariadb("a claim", () => {
  test("needs no index of lists", async () => {
    const pool = await (await migratedDatabase()).pool();
    await pool.query(
      "ALTER TABLE payments_orders DROP INDEX payments_orders_open, DROP INDEX payments_orders_created",
    );
    await pool.query(
      "CREATE TABLE other (a INT, KEY payments_orders_open (a), KEY payments_orders_created (a))",
    );
    const store = mysqlStore(pool);

    expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
    expect((await store.check()).map(({ level }) => level)).toEqual(["error", "warning"]);
  });

  test.each<[string, string, string, (pool: MysqlClient) => MysqlClient]>([
    ["rows", "SELECT * FROM payments_orders FOR UPDATE", "ROLLBACK", (pool) => pool],
    [
      "the table",
      "LOCK TABLES payments_orders WRITE",
      "UNLOCK TABLES",
      (pool) => ({ execute: (sql, values) => pool.execute(sql, values) }),
    ],
  ])(
    "that waited for a lock of %s leaves no statement that is run later",
    async (_what, lock, unlock, wrap) => {
      const database = await migratedDatabase();
      const [pool, admin] = [await database.pool(), await (await database.pool()).getConnection()];
      const [store, controller] = [mysqlStore(wrap(pool)), new AbortController()];
      await store.claim({ ...ORDER, externalRef: "first" }, LEASE);
      await admin.beginTransaction();
      await admin.query(lock);
      const claim = store.claim(ORDER, LEASE, { signal: controller.signal });
      const waiting = async () => {
        const [rows] = await admin.query(
          "SELECT id FROM information_schema.processlist WHERE db = ? AND command = 'Execute'",
          [database.name],
        );
        return (rows as object[]).length;
      };
      await expect.poll(waiting).toBe(1);

      controller.abort(new Error("too late"));

      await expect(claim).rejects.toThrow();
      await expect.poll(waiting, { timeout: 2_000 }).toBe(0);
      await admin.query(unlock);
      expect(await store.get(ORDER.externalRef)).toBeUndefined();
    },
    15_000,
  );

  test("that no connection of the pool is free for is not written later, once its time is over", async () => {
    const pool = await (await migratedDatabase()).pool({ connectionLimit: 1 });
    const [store, controller] = [mysqlStore(pool), new AbortController()];
    await store.claim({ ...ORDER, externalRef: "first" }, LEASE);
    const held = await pool.getConnection();

    const claim = store.claim(ORDER, LEASE, { signal: controller.signal });
    controller.abort(new Error("the time is over"));

    await expect(claim).rejects.toThrow("the time is over");
    held.release();
    expect(await store.get(ORDER.externalRef)).toBeUndefined();
  });

  test("and check() end if no connection of the pool gets free", async () => {
    const pool = await (await migratedDatabase()).pool({ connectionLimit: 1 });
    const store = mysqlStore(pool);
    await store.get(REF);
    const held = await pool.getConnection();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());

    const ends = Promise.all([store.check(), store.claim(ORDER, LEASE).catch(String)]);
    await vi.advanceTimersByTimeAsync(5_000);

    const reason = expect.stringContaining("The pool had no free connection for 5000 ms.");
    expect(await ends).toEqual([[{ level: "error", message: reason }], reason]);
    vi.useRealTimers();
    held.release();
    expect(await store.get(REF)).toBeUndefined();
  });

  test("whose connection is killed while it waits is not sent, and the order can be sent afterwards", async () => {
    const database = await migratedDatabase();
    const [pool, holder] = [await database.pool(), await (await database.pool()).getConnection()];
    await attempt(mysqlStore(pool), NOT_CREATED);
    await holder.beginTransaction();
    await holder.query("SELECT * FROM payments_orders FOR UPDATE");
    const failing = expectNotSent(mysqlStore(pool), /Connection (lost|was killed)|interrupted/);
    await aStatementWaits(database);

    const [rows] = await holder.query(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND command = 'Execute'",
    );
    await holder.query("KILL ?", [(rows as { id: number }[])[0]?.id]);
    await failing;
    await holder.rollback();

    await expect.poll(() => stateOf(mysqlStore(pool))).toBe("free");
  });

  test("of an order that is claimed already takes two statements, and of a new one a single statement", async () => {
    const pool = await (await migratedDatabase()).pool();
    let statements = 0;
    const execute: MysqlClient["execute"] = (sql, values) => {
      statements += 1;
      return pool.execute(sql, values);
    };
    const store = mysqlStore({ execute });
    await store.claim({ ...ORDER, externalRef: "first" }, LEASE);
    statements = 0;

    await store.claim(ORDER, LEASE);
    expect(statements).toBe(1);
    await store.claim(by("b"), LEASE);
    expect(statements).toBe(3);
  });
});
