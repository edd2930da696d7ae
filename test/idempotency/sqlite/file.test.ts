import { copyFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PaymentsEvent } from "payments-sdk";
import { ConfigurationError, sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { eventsOf, failureOf, thrownBy } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  aPostback,
  attempt,
  by,
  createdAs,
  LEASE,
  listed,
  ORDER,
  REF,
  stateOf,
  UNKNOWN,
} from "../support/orders.ts";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open(path = file) {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

function inspect(): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

test("records survive a power cut", () => {
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");

  open();

  const connection = exec.mock.contexts[0] as DatabaseSync;
  expect(inspect().prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(connection.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 }); // FULL
});

const warningsIn = (events: readonly PaymentsEvent[]) =>
  eventsOf(events, "warning").flatMap(({ field, message }) => (field === "idempotency" ? [message] : []));

test("the first create call with a file that has no orders yet warns once, with its absolute path", async () => {
  sqliteStore(file).close(); // a process that took no payment creates the file
  const store = open(relative(process.cwd(), file));
  const { payments, events } = await merchantWithStore(undefined, { store });

  await byPix(payments);
  await byPix(payments);
  await store.claim(OTHER_ORDER, LEASE);

  expect(warningsIn(events)).toEqual([expect.stringContaining(`when it was opened (${file})`)]);
});

test("a file that has orders, if only of another namespace, causes no warning", async () => {
  await sqliteStore(file, { namespace: "shop-2" }).claim(ORDER, LEASE);
  const { payments, events } = await merchantWithStore(undefined, { store: open() });

  await byPix(payments);

  expect(warningsIn(events)).toEqual([]);
});

test("a backup by VACUUM INTO, while the store is open, has its orders, and leaves its files in place", async () => {
  const store = open();
  await attempt(store, createdAs());
  const backup = `${file}.backup`;
  inspect().exec(`VACUUM INTO '${backup}'`);

  await attempt(store, UNKNOWN, OTHER_ORDER);
  const restored = open(backup);

  expect([await stateOf(store), await stateOf(store, OTHER_ORDER)]).toEqual(["created", "unresolved"]);
  expect(await stateOf(restored)).toBe("created");
});

describe("a file that cannot be opened is a ConfigurationError with its name and what to do", () => {
  const damage = () => {
    sqliteStore(file).close();
    writeFileSync(file, readFileSync(file).fill(0xab, 1_000, 4_000));
  };
  const withDatabase = (sql: string) => () => inspect().exec(sql);

  test.each<[string, () => void, string]>([
    ["no folder", () => (file = join(file, "x.db")), "its folder does not exist. Create the folder first"],
    ["a directory", () => (file = dirname(file)), "it is a directory. Add the name of a file"],
    ["another kind of file", () => writeFileSync(file, "x".repeat(5_000)), "it is not a SQLite database"],
    ["tables of others", withDatabase("CREATE TABLE payments_orders (a)"), "its tables are not those"],
    ["damaged pages", damage, "it is damaged. Restore it from a backup"],
    ["a read-only file system", () => (file = "/proc/version"), "Change their permissions"],
    ["a name that no file has", () => (file = "a\0b"), "without null bytes"],
  ])("%s", (_what, prepare, reason) => {
    prepare();

    const error = thrownBy(() => sqliteStore(file));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(`The SQLite file ${file} cannot be opened: `);
    expect(error.message).toContain(reason);
  });
});

test("an operation on a closed store says so", async () => {
  const store = sqliteStore(file);
  store.close();

  await expect(store.claim(ORDER, LEASE)).rejects.toThrow("The store is closed.");
  await expect(listed(store)).rejects.toThrow("The store is closed.");
});

test.each(["{}", '{"state":"paid"}', "{"])("the record %j is not read as a free order", async (body) => {
  const store = open();
  await store.claim(ORDER, LEASE);
  inspect().prepare("UPDATE payments_orders SET body = ?").run(body);

  await expect(store.claim(by("b"), LEASE)).rejects.toThrow("is not a record");
  await expect(store.recordPostback(REF, aPostback("refused"))).rejects.toThrow("is not a record");
});

test("a record that cannot be read is reported after all others were listed", async () => {
  const store = open();
  for (const externalRef of [REF, "order-2", "order-3"]) await attempt(store, UNKNOWN, by("a", externalRef));
  inspect().exec("UPDATE payments_orders SET body = '{' WHERE key = 'order-1'");
  const found: string[] = [];
  const list = async () => {
    for await (const { externalRef } of store.unresolved()) found.push(externalRef);
  };

  await expect(list()).rejects.toThrow("order-1");

  expect(found.sort()).toEqual(["order-2", "order-3"]);
});

test("what ended before the retention is deleted in short batches, at a random time, and never fails a change", async () => {
  await attempt(sqliteStore(file, { namespace: "idle", retentionDays: 1 }), createdAs());
  await attempt(open(), createdAs());
  inspect().exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
    INSERT INTO payments_orders SELECT namespace, 'old-' || n, version, 0, is_open, body FROM payments_orders, numbers;
    INSERT INTO payments_retention VALUES ('idle', 86400000)`);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const store = open();
  const old = "SELECT count(*) AS n FROM payments_orders WHERE key LIKE 'old-%' GROUP BY namespace";
  const countAfterClaim = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    expect(await store.claim(by(`${ms}`, crypto.randomUUID()), LEASE)).toEqual({ state: "yours" });
    return inspect()
      .prepare(old)
      .all()
      .map(({ n }) => n);
  };

  expect(await countAfterClaim(14_000)).toEqual([120, 120]);
  expect(await countAfterClaim(2_000)).toEqual([20, 120]);
  expect(await countAfterClaim(1_000)).toEqual([120]);
  inspect().exec(
    "CREATE TRIGGER kept BEFORE DELETE ON payments_orders BEGIN SELECT RAISE(ABORT, 'kept'); END",
  );
  expect(await countAfterClaim(30_000)).toEqual([120]);
  inspect().exec("DROP TRIGGER kept");
  expect(await countAfterClaim(30_000)).toEqual([20]); // the namespace that no process uses
});

test("check() names a missing table, and a file that was replaced", async () => {
  const store = open();
  const error = (message: string) => [{ level: "error", message: expect.stringContaining(message) }];
  expect(await store.check()).toEqual([]);

  inspect().exec("DROP TABLE payments_postbacks");
  expect(await store.check()).toEqual(error("no such table: payments_postbacks"));
  replaceByCopy();
  expect(await store.check()).toEqual(error(`${file} was deleted, renamed or replaced`));
});

test("a missing index makes lists slower, and nothing else", async () => {
  const store = open();
  await attempt(store, UNKNOWN);
  inspect().exec("DROP INDEX payments_orders_by_age");

  expect((await listed(store)).map(({ externalRef }) => externalRef)).toEqual([REF]);
  expect((await store.stats()).orders.unresolved).toBe(1);
  expect(await store.check()).toEqual([
    { level: "warning", message: expect.stringContaining("payments_orders_by_age") },
  ]);
});

test("a page of a list of open orders reads its own rows only, however many orders are open", async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  open();
  const pages = prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("json_each"));
  const database = inspect();

  const plans = pages.map((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all({ numbers: "[1]", namespace: "default" })
      .map(({ detail }) => detail)
      .join("; "),
  );

  expect(plans).toHaveLength(2); // of orders, and of postbacks
  for (const plan of plans) expect(plan).toContain("USING INTEGER PRIMARY KEY (rowid=?)");
});

test("a full list does other work of the process in between", async () => {
  const store = open();
  await attempt(store, createdAs());
  inspect().exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
    INSERT INTO payments_orders SELECT namespace, 'more-' || n, version, 0, is_open, body FROM payments_orders, numbers`);
  let turns = 0;
  const turn = () => {
    turns += 1;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);

  const orders = await collect(store.list());

  clearImmediate(timer);
  expect(orders).toHaveLength(1001);
  expect(turns).toBeGreaterThan(5);
});

const OTHER_ORDER = by("a", "order-2");

function remove(): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
}

function replaceByCopy(): void {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

function createAgain(): void {
  remove();
  open();
}

/** Other processes open the other file. */
function relink(): void {
  open(`${file}.next`);
  rmSync(`${file}.link`);
  symlinkSync(`${file}.next`, `${file}.link`);
}

test.each<[string, () => void, end?: string, toPath?: (path: string) => string]>([
  ["was deleted", remove],
  ["was deleted, and opened by a URI,", remove, "", (path) => `file:${path}?cache=private`],
  ["was renamed", () => renameSync(file, `${file}.old`)],
  ["was replaced by a copy", replaceByCopy],
  ["was created again by another process", createAgain],
  ["is now another one by a symbolic link, which", relink, ".link", (path) => `${path}.link`],
  ["lost its -wal file", () => rmSync(`${file}-wal`), "-wal"],
  ["lost its -shm file", () => rmSync(`${file}-shm`), "-shm"],
])(
  "if the file %s while the store was open, a create call fails before it is sent",
  async (_what, lose, end = "", toPath = (path) => path) => {
    symlinkSync(file, `${file}.link`);
    const store = open(toPath(file));
    const { payments, arrivals } = await merchantWithStore(undefined, { store });
    await store.claim(OTHER_ORDER, LEASE);
    lose();

    const error = await failureOf(byPix(payments));

    const reason = "was deleted, renamed or replaced while the store was open";
    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(error.message).toContain(`${file}${end} ${reason}`);
    expect(arrivals).toEqual([]);
    await expect(store.recordOutcome(OTHER_ORDER, createdAs())).rejects.toThrow(reason);
  },
);

test("the orders of a deleted file can still be listed", async () => {
  const store = open();
  await attempt(store, UNKNOWN);

  remove();

  expect(await listed(store)).toMatchObject([{ externalRef: "order-1" }]);
});

test("a database in memory, and a runtime without node:fs, have no file to watch", async () => {
  expect(await stateOf(open(":memory:"))).toBe("free");

  const getBuiltinModule = process.getBuiltinModule;
  vi.spyOn(process, "getBuiltinModule").mockImplementation(((name: string) =>
    name === "node:fs" ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule);
  expect(await stateOf(open())).toBe("free");
});
