import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { type ClaimedOrder, ConfigurationError } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { byPix, expectNotSent, merchantWithStore } from "../resources/support/merchant-with-store.ts";
import type { Reply } from "../support/http-server.ts";
import { aCardPayment, failureOf } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import {
  attempt,
  by,
  createdAs,
  ID,
  LEASE,
  NOT_CREATED,
  ORDER,
  REF,
  stateOf,
  UNKNOWN,
} from "./support/orders.ts";
import { type Run, SQL_DATABASES, type SqlDatabase } from "./support/sql-databases.ts";

/** Rules of stores whose client runs statements, perhaps in a transaction, or returns something else than it should. */

/** The statements that claim a new order, and one that is free again. */
const CLAIM = /VALUES \((?:IF|\$2)/;
const CHANGE = /SET version/;

describe.each(SQL_DATABASES)("in %s", (_name, openDatabase, missing) => {
  const inDatabase = test.skipIf(missing !== undefined);
  const free = (database: SqlDatabase, order: ClaimedOrder = ORDER) =>
    attempt(database.open(database.run), NOT_CREATED, order);

  /** An application that runs each request in a transaction, which its client uses automatically. */
  function inRequests({ run, connect }: SqlDatabase) {
    const ofRequest = new AsyncLocalStorage<Run>();
    const request = async (end: "COMMIT" | "ROLLBACK", work: () => Promise<unknown>) => {
      const connection = await connect();
      await connection.sql("BEGIN");
      try {
        return await ofRequest.run(connection.run, work);
      } finally {
        await connection.sql(end);
      }
    };
    return { run: ((...args) => (ofRequest.getStore() ?? run)(...args)) as Run, request };
  }

  inDatabase.each([
    ["COMMIT", async () => undefined],
    ["ROLLBACK", free],
  ] as const)(
    "inside a transaction of the application no request is sent, and the order is free after its %s",
    async (end, arrange) => {
      const database = await openDatabase();
      const { run, request } = inRequests(database);
      await arrange(database);

      await request(end, () => expectNotSent(database.open(run), /open transaction/));

      const store = database.open(run);
      await expect.poll(() => stateOf(store)).toBe("free");
      expect(await stateOf(store, { ...ORDER, externalRef: "order-2" })).toBe("free");
    },
  );

  inDatabase(
    "a claim is refused in a transaction that began after the first statements of its store",
    async () => {
      const database = await openDatabase();
      const { run, sql } = await database.connect();
      const store = database.open(run);
      await attempt(store, createdAs());
      await sql("BEGIN");

      await expect(store.claim(by("a", "order-2"), LEASE)).rejects.toThrow("open transaction");

      await sql("ROLLBACK");
      expect(await store.get("order-2")).toBeUndefined();
    },
  );

  inDatabase("a pix is not returned until its record is committed", async () => {
    const database = await openDatabase();
    const { run, sql } = await database.connect();
    const reply: Reply = async (exchange) => {
      await sql("BEGIN");
      return created()(exchange);
    };
    const { payments } = await merchantWithStore([reply], { store: database.open(run) });

    const error = await failureOf(byPix(payments));
    await sql("ROLLBACK");

    const message = expect.stringContaining("open transaction");
    expect(error).toMatchObject({
      name: "IdempotencyStoreError",
      outcome: "created",
      transactionId: ID,
      message,
    });
    const replay = () => byPix(payments).catch(() => undefined);
    await expect.poll(replay, { timeout: 5_000 }).toMatchObject({ id: ID });
  });

  inDatabase.each([
    ["new", CLAIM, async () => undefined],
    ["free again", CHANGE, free],
  ] as const)(
    "a claim of an order that is %s is refused if the client repeats it, and the order is free afterwards",
    async (_what, statement, arrange) => {
      const database = await openDatabase();
      await arrange(database);
      let isRepeated = false;
      const repeating: Run = async (sql, values) => {
        if (statement.test(sql) && !isRepeated) {
          isRepeated = true;
          await database.run(sql, values);
        }
        return database.run(sql, values);
      };

      await expectNotSent(database.open(repeating), /repeats statements/);

      await expect.poll(() => stateOf(database.open(database.run))).toBe("free");
    },
  );

  const CARD_ORDER = { ...ORDER, paymentMethod: "credit_card" } as const;

  const isPostgres = _name === "PostgreSQL";

  inDatabase.each<[string, RegExp, unknown]>([
    ...(isPostgres
      ? [["new", /pg_xact_status/, { rows: [{ status: "committed" }] }] as [string, RegExp, unknown]]
      : []),
    ["new", CLAIM, [{ result: "true" }]],
    ["new", CLAIM, [1]],
    ["new", CLAIM, { affectedRows: 1, insertId: 7, serverStatus: 2 }],
    ["free again", CHANGE, []],
    ["free again", CHANGE, [[{ was_replaced: true }], 1]],
    ["free again", CHANGE, { affectedRows: 1, insertId: 0, serverStatus: 2 }],
  ])(
    "no request is sent if the client returns something else for the claim of an order that is %s, once: %o, %j",
    async (state, statement, reply) => {
      const database = await openDatabase();
      if (state === "free again") await free(database, CARD_ORDER);
      let isOver = false;
      const store = database.open(async (sql, values) => {
        const real = await database.run(sql, values);
        if (isOver || !statement.test(sql)) return real;
        isOver = true;
        return reply;
      });
      const { payments, arrivals } = await merchantWithStore([], { store });

      const error = await failureOf(payments.transactions.createCard(aCardPayment()));

      expect(error).toMatchObject({ outcome: "not_sent", code: "idempotency_store_failed" });
      expect(arrivals).toEqual([]);
      await expect.poll(() => stateOf(store, CARD_ORDER)).toBe("free");
    },
  );

  inDatabase("a response from a cache is not taken for the result of another claim", async () => {
    const database = await openDatabase();
    const replies = new Map<string, unknown>();
    const store = database.open(async (sql, values) => {
      if (!replies.has(sql)) replies.set(sql, await database.run(sql, values));
      return replies.get(sql);
    });
    await store.claim(ORDER, LEASE);

    await expect(store.claim(by("b"), LEASE)).rejects.toBeInstanceOf(ConfigurationError);
  });

  inDatabase.each([
    ["COMMIT", "claimed"],
    ["ROLLBACK", "yours"],
  ])("a claim during another one waits for its %s, and is %s", async (end, state) => {
    const database = await openDatabase();
    const [store, holder] = [database.open(database.run), await database.connect()];
    await store.claim(ORDER, LEASE);
    await holder.sql("CREATE TABLE written AS SELECT * FROM payments_orders");
    await holder.sql("DELETE FROM payments_orders");
    await holder.sql("BEGIN");
    await holder.sql("INSERT INTO payments_orders SELECT * FROM written");

    const claim = store.claim(by("b"), LEASE);
    await database.statementWaits();
    await holder.sql(end);

    // Its statement began before the other row was committed, so it neither adds a row nor sees that one.
    expect(await claim).toMatchObject({ state });
  });

  const LOST_RACES = isPostgres ? ["40P01", "40001"] : ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"];

  inDatabase.each(LOST_RACES.flatMap((code) => [{ code }, { original: { code } }, { cause: { code } }]))(
    "a claim is run again after the error %j",
    async (properties) => {
      const { open, run } = await openDatabase();
      let failures = 2;
      const store = open(async (sql, values) => {
        if (CLAIM.test(sql) && failures-- > 0) throw Object.assign(new Error("try again"), properties);
        return run(sql, values);
      });

      expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
      expect(failures).toBe(-1);
    },
  );

  inDatabase(
    "an error of a client that repeats the values of a statement does not show the record",
    async () => {
      const { open, run } = await openDatabase();
      const store = open(async (sql, values) => {
        const hasRecord = values.some((value) => value.startsWith("{"));
        if (hasRecord) throw new Error(`Failed query: ${sql}\nparams: ${values}`);
        return run(sql, values);
      });

      const claim = store.claim({ ...ORDER, amount: 7_654_321 }, LEASE);
      const shown = inspect(await claim.catch((thrown: unknown) => thrown));

      expect(shown).toContain("Failed query");
      expect(shown).not.toContain("7654321");
    },
  );

  inDatabase("a cleanup that fails does not fail the operation", async () => {
    vi.spyOn(Math, "random").mockReturnValue(-1); // the first one has no delay
    const { open, run } = await openDatabase();
    let failures = 0;
    const store = open(async (sql, values) => {
      if (!sql.includes("DELETE")) return run(sql, values);
      failures += 1;
      throw new Error("permission denied");
    });

    await attempt(store, createdAs());

    await expect.poll(() => failures).toBeGreaterThan(0);
    expect(await stateOf(store)).toBe("created");
  });

  inDatabase(
    "a list holds no connection between its pages, and getMany() reads many orders at once",
    async () => {
      const database = await openDatabase();
      const { run, sql } = database.single;
      const [counted, long] = [vi.fn(run), "é".repeat(1_001)];
      const store = database.open(counted);
      await attempt(store, UNKNOWN);
      await sql(database.copyOrder(1_100));
      await attempt(store, UNKNOWN, by("a", long));
      const seen: string[] = [];

      for await (const { externalRef } of store.unresolved()) {
        if (seen.length === 0) await sql("SELECT 1");
        seen.push(externalRef);
      }
      counted.mockClear();
      const found = await store.getMany([long, "none", "order-7", REF]);

      expect([seen.length, new Set(seen).size]).toEqual([1_101, 1_101]);
      expect(found.map(({ externalRef }) => externalRef)).toEqual([long, "order-7", REF]);
      expect(counted).toHaveBeenCalledOnce();
    },
  );
});
