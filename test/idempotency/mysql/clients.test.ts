import { ConfigurationError, mysqlStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { missingMariadb } from "../../support/mariadb-server.ts";
import { contentsOf, type MysqlDatabase, migratedDatabase } from "../support/mysql.ts";
import { attempt, by, LEASE, listed, NOT_CREATED, ORDER, REF, UNKNOWN } from "../support/orders.ts";

/** Clients that return the response of the server in their own way, or something else. */

const inMariadb = describe.skipIf(missingMariadb !== undefined);

/** Runs a statement, and resolves with the rows or the header of the response. */
type Run = (sql: string, values?: string[]) => Promise<object>;
type Execute = (sql: string, values: string[], run: Run) => unknown;

/** A client whose replies a test decides. */
async function clientOf(database: MysqlDatabase, execute: Execute) {
  const pool = await database.pool();
  const run: Run = async (sql, values) => (await pool.execute(sql, values))[0];
  return { execute: async (sql: string, values: string[]) => execute(sql, values, run) };
}

const isRows = (reply: object): reply is object[] => Array.isArray(reply);

inMariadb.each<[string, Execute]>([
  ["rows, or the header, as TypeORM does", async (sql, values, run) => run(sql, values)],
  ["rows and fields", async (sql, values, run) => [await run(sql, values), []]],
  ["an object with rows", async (sql, values, run) => ({ rows: await run(sql, values), info: null })],
  [
    "the reply of Sequelize: the header, twice",
    async (sql, values, run) => {
      const reply = await run(sql, values);
      return [reply, reply];
    },
  ],
  [
    "rows as arrays, and numbers as texts",
    async (sql, values, run) => {
      const reply = await run(sql, values);
      if (isRows(reply)) return [reply.map((row) => Object.values(row))];
      return [Object.fromEntries(Object.entries(reply).map(([name, value]) => [name, String(value)]))];
    },
  ],
])("a client that returns %s", (_shape, execute) => {
  test("grants one of two claims at the same time, and lists the order", async () => {
    const store = mysqlStore(await clientOf(await migratedDatabase(), execute));
    await attempt(store, NOT_CREATED);

    const claims = await Promise.all([store.claim(by("b"), LEASE), store.claim(by("c"), LEASE)]);

    expect(claims.map(({ state }) => state).toSorted()).toEqual(["claimed", "yours"]);
    for (const owner of ["b", "c"]) await store.recordOutcome(by(owner), UNKNOWN);
    expect(await listed(store)).toMatchObject([{ externalRef: REF }]);
    expect(await store.namespaces()).toEqual(["default"]);
  });
});

inMariadb("a client is refused before anything is written if it returns", () => {
  /** Changes the replies to statements that return no rows. */
  const forWrites =
    (change: (header: Readonly<Record<string, unknown>>) => unknown): Execute =>
    async (sql, values, run) => {
      const reply = await run(sql, values);
      return isRows(reply) ? reply : change({ ...reply });
    };

  test.each<[string, Execute]>([
    ["nothing", () => undefined],
    ["no rows", () => []],
    ["its values", (_sql, values) => [{ result: values.join(" ") }]],
    [
      "rows without the last one",
      async (sql, values, run) => ((await run(sql, values)) as object[]).slice(0, -1),
    ],
    [
      "a text that is cut",
      async (sql, values, run) =>
        Object.values(await run(sql, values)).map(({ result }) => ({ result: result.slice(0, -1) })),
    ],
    [
      "values that it changed",
      (sql, values, run) =>
        run(
          sql,
          values.map((value) => value.replaceAll("'", "''")),
        ),
    ],
    ["a count for statements that write", forWrites(({ affectedRows }) => affectedRows)],
    ["a header without flags", forWrites(({ affectedRows, insertId }) => ({ affectedRows, insertId }))],
    ["a header without the number of the run", forWrites((header) => ({ ...header, insertId: 0 }))],
    ["a header of its own", forWrites(() => ({ affectedRows: 1, insertId: 1, serverStatus: 2 }))],
    ["a header with other types", forWrites((header) => ({ ...header, serverStatus: true }))],
  ])("%s", async (_what, execute) => {
    const database = await migratedDatabase();

    const claim = mysqlStore(await clientOf(database, execute)).claim(ORDER, LEASE);

    await expect(claim).rejects.toBeInstanceOf(ConfigurationError);
    await expect(claim).rejects.toThrow("client must be a pool or connection of mysql2/promise");
    expect(await contentsOf(database)).toEqual([]);
  });

  test.each(["NAMES latin1", "character_set_results = latin1", "character_set_results = ascii"])(
    "texts after SET %s",
    async (setting) => {
      const database = await migratedDatabase();
      const pool = await database.pool({ connectionLimit: 1 });
      await pool.query(`SET ${setting}`);

      const claim = mysqlStore(pool).claim(ORDER, LEASE);

      await expect(claim).rejects.toThrow("with the character set utf8mb4");
      expect(await contentsOf(database)).toEqual([]);
    },
  );

  test.each(["latin1", "gb18030", "utf8"])("texts in %s", async (charset) => {
    const database = await migratedDatabase();

    const claim = mysqlStore(await database.pool({ charset })).claim(ORDER, LEASE);

    await expect(claim).rejects.toThrow("with the character set utf8mb4");
    expect(await contentsOf(database)).toEqual([]);
  });
});

inMariadb("mysqlStore", () => {
  test("accepts the promise() of a pool with callbacks, and refuses the pool", async () => {
    const { pool } = await (await migratedDatabase()).pool();

    expect(await mysqlStore(pool.promise()).claim(ORDER, LEASE)).toEqual({ state: "yours" });
    expect(() => mysqlStore(pool as never)).toThrow("client has callbacks: pass its promise()");
  });

  test.each<object>([
    { flags: ["-FOUND_ROWS"] },
    { rowsAsArray: true },
    { nestTables: "_" },
    { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true, decimalNumbers: true },
    { namedPlaceholders: true },
    { timezone: "-03:00" },
  ])("grants one of two claims, and replays it, with the options %j of mysql2", async (options) => {
    const store = mysqlStore(await (await migratedDatabase()).pool(options));

    const claims = await Promise.all([store.claim(by("b"), LEASE), store.claim(by("c"), LEASE)]);

    expect(claims.map(({ state }) => state).toSorted()).toEqual(["claimed", "yours"]);
    expect(await store.get(REF)).toMatchObject({ state: "claimed", amount: 1990 });
  });

  test.each([
    ["sql_mode", "''"],
    ["sql_mode", "'ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'"],
    ["tx_isolation", "'SERIALIZABLE'"],
    ["time_zone", "'-03:00'"],
    ["collation_connection", "'utf8mb4_general_ci'"],
  ])("keeps texts, and the age of an order, with %s = %s", async (name, value) => {
    const pool = await (await migratedDatabase()).pool({ connectionLimit: 1 });
    await pool.query(`SET SESSION ${name} = ${value}`);
    const store = mysqlStore(pool);
    const externalRef = `it's "\\' ${"é".repeat(20)} 😀`;
    await store.claim({ ...ORDER, externalRef }, LEASE);

    expect(await store.claim({ ...by("b"), externalRef }, LEASE)).toEqual({
      state: "claimed",
      leaseLeftMs: expect.closeTo(LEASE, -4),
    });
    expect(await store.claim({ ...ORDER, externalRef: externalRef.replace("it", "IT") }, LEASE)).toEqual({
      state: "yours",
    });
    expect(await store.getMany([externalRef])).toMatchObject([{ externalRef }]);
  });
});
