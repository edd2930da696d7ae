import { AsyncLocalStorage } from "node:async_hooks";
import type { PoolConnection } from "mysql2/promise";
import { IdempotencyStoreError } from "payments-sdk";
import { type MysqlClient, mysqlStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import type { Reply } from "../../support/http-server.ts";
import { missingMariadb } from "../../support/mariadb-server.ts";
import { failureOf } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import {
  aStatementWaits,
  contentsOf,
  type MysqlDatabase,
  migratedDatabase,
  newDatabase,
} from "../support/mysql.ts";
import { attempt, by, createdAs, ID, LEASE, NOT_CREATED, ORDER, stateOf } from "../support/orders.ts";

/** Configurations of the server and its clients that would lose a record, or hide it. */

const inMariadb = describe.skipIf(missingMariadb !== undefined);

async function expectNotSent(client: MysqlClient, message: RegExp): Promise<void> {
  const { payments, arrivals } = await merchantWithStore(undefined, { store: mysqlStore(client) });

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(IdempotencyStoreError);
  expect(error).toMatchObject({ outcome: "not_sent" });
  expect(String(error)).toMatch(message);
  expect(arrivals).toEqual([]);
}

inMariadb("inside a transaction of the application", () => {
  /** An application that runs each request in a transaction, which its client uses automatically. */
  async function open(database: MysqlDatabase) {
    const pool = await database.pool();
    const ofRequest = new AsyncLocalStorage<PoolConnection>();
    const client: MysqlClient = {
      execute: (sql, values) => (ofRequest.getStore() ?? pool).execute(sql, values),
    };
    const request = async (end: "commit" | "rollback", work: () => Promise<unknown>) => {
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      try {
        return await ofRequest.run(connection, work);
      } finally {
        await connection[end]();
        connection.release();
      }
    };
    return { client, request };
  }

  test.each([
    ["commit", async () => undefined],
    ["rollback", (client: MysqlClient) => attempt(mysqlStore(client), NOT_CREATED)],
  ] as const)("no request is sent, and the order is free after its %s", async (end, arrange) => {
    const { client, request } = await open(await migratedDatabase());
    await arrange(client);

    await request(end, () => expectNotSent(client, /open transaction/));

    await expect.poll(() => stateOf(mysqlStore(client))).toBe("free");
  });

  test("that begins after the first statements of a store, a claim is refused as well", async () => {
    const { client, request } = await open(await migratedDatabase());
    const store = mysqlStore(client);
    await attempt(store, createdAs());

    const claim = request("rollback", () => store.claim({ ...ORDER, externalRef: "order-2" }, LEASE));

    await expect(claim).rejects.toThrow("open transaction");
    expect(await store.get("order-2")).toBeUndefined();
  });

  test("that begins after the claim, a pix is not returned until its record is committed", async () => {
    const connection = await (await (await migratedDatabase()).pool()).getConnection();
    const reply: Reply = async (exchange) => {
      await connection.beginTransaction();
      return created()(exchange);
    };
    const { payments } = await merchantWithStore([reply], { store: mysqlStore(connection) });

    const error = await failureOf(byPix(payments));
    await connection.rollback();

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error).toMatchObject({
      outcome: "created",
      transactionId: ID,
      message: expect.stringContaining("open transaction"),
    });
    await expect
      .poll(() => byPix(payments).catch(() => undefined), { timeout: 5_000 })
      .toMatchObject({ id: ID });
  });
});

inMariadb("a claim is refused, and nothing is written,", () => {
  test.each<[string, string, RegExp]>([
    ["if autocommit is off", "SET autocommit = 0", /autocommit is off/],
    ["if the connection is read-only", "SET SESSION TRANSACTION READ ONLY", /is read-only/],
  ])("%s", async (_what, setting, reason) => {
    const database = await migratedDatabase();
    const pool = await database.pool({ connectionLimit: 1 });
    await pool.query(setting);

    await expectNotSent(pool, reason);

    expect(await contentsOf(database)).toEqual([]);
  });

  test("if the database has no tables", async () => {
    await expectNotSent(await (await newDatabase()).pool(), /call migrate\(\)/);
  });
});

inMariadb("a claim", () => {
  test("that the client repeats is refused, and the order is free afterwards", async () => {
    const pool = await (await migratedDatabase()).pool();
    let isRepeated = false;
    const repeating: MysqlClient = {
      execute: async (sql, values) => {
        if (sql.includes("VALUES (IF") && !isRepeated) {
          isRepeated = true;
          await pool.execute(sql, values);
        }
        return pool.execute(sql, values);
      },
    };

    await expectNotSent(repeating, /repeats statements/);

    await expect.poll(() => stateOf(mysqlStore(pool))).toBe("free");
  });

  test("whose connection is killed while it waits is not sent, and the order can be sent afterwards", async () => {
    const database = await migratedDatabase();
    const [pool, holder] = [await database.pool(), await (await database.pool()).getConnection()];
    await attempt(mysqlStore(pool), NOT_CREATED);
    await holder.beginTransaction();
    await holder.query("SELECT * FROM payments_orders FOR UPDATE");
    const failing = expectNotSent(pool, /Connection (lost|was killed)|interrupted/);
    await aStatementWaits(database);

    const [rows] = await holder.query(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND command = 'Execute'",
    );
    await holder.query("KILL ?", [(rows as { id: number }[])[0]?.id]);
    await failing;
    await holder.rollback();

    await expect.poll(() => stateOf(mysqlStore(pool))).toBe("free");
  });

  test.each([
    ["commit", "claimed"],
    ["rollback", "yours"],
  ] as const)("during another one waits for its %s, and is %s", async (end, state) => {
    const database = await migratedDatabase();
    const [pool, holder] = [await database.pool(), await (await database.pool()).getConnection()];
    const store = mysqlStore(pool);
    await store.claim(ORDER, LEASE);
    await pool.query("CREATE TABLE written AS SELECT * FROM payments_orders");
    await pool.query("DELETE FROM payments_orders");
    await holder.beginTransaction();
    await holder.query("INSERT INTO payments_orders SELECT * FROM written");

    const claim = store.claim(by("b"), LEASE);
    await aStatementWaits(database);
    await holder[end]();

    expect(await claim).toMatchObject({ state });
  });

  test.each(["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"])("is run again after %s", async (code) => {
    const pool = await (await migratedDatabase()).pool();
    let failures = 2;
    const execute: MysqlClient["execute"] = async (sql, values) => {
      if (sql.includes("VALUES (IF") && failures-- > 0) throw Object.assign(new Error("try again"), { code });
      return pool.execute(sql, values);
    };

    expect(await mysqlStore({ execute }).claim(ORDER, LEASE)).toEqual({ state: "yours" });
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
