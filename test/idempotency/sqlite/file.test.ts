import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  attempt,
  by,
  createdAs,
  LEASE,
  listed,
  news,
  ORDER,
  REF,
  stateOf,
  UNKNOWN,
} from "../support/orders.ts";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open() {
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

function inspect(): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

test("what is recorded is there after the process has ended", async () => {
  const before = sqliteStore(file);
  await attempt(before, createdAs());
  before.close();

  expect(await stateOf(open())).toBe("created");
});

test("what is recorded survives a power cut", () => {
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");

  open();

  expect(inspect().prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(exec).toHaveBeenCalledWith("PRAGMA synchronous = FULL");
});

test("a problem of the file is reported, and the store works again once it is fixed", async () => {
  const store = open();
  const database = inspect();
  database.exec("ALTER TABLE payments_orders RENAME TO elsewhere");

  await expect(store.claim(ORDER, LEASE)).rejects.toThrow("no such table: payments_orders");

  database.exec("ALTER TABLE elsewhere RENAME TO payments_orders");
  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
});

test("a file that is not a database is refused", () => {
  writeFileSync(file, "x".repeat(5_000));

  expect(() => sqliteStore(file)).toThrow("path must name a SQLite database");
  expect(() => sqliteStore(file)).toThrow("file is not a database");
});

test.each(["{}", "null", '{"state":"paid"}', "{", ""])(
  "the record %j is not taken for a free order",
  async (body) => {
    const store = open();
    await store.claim(ORDER, LEASE);
    inspect().prepare("UPDATE payments_orders SET body = ?").run(body);

    await expect(store.claim(by("b"), LEASE)).rejects.toThrow("is no record");
    await expect(store.settle(REF, news("refused"))).rejects.toThrow("is no record");
  },
);

test("a listing of several pages has every order once", async () => {
  const store = open();
  await attempt(store, UNKNOWN);
  inspect().exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
    INSERT INTO payments_orders SELECT namespace, 'order-' || n, version, changed_at, is_open, body
    FROM payments_orders, numbers
  `);

  const found = (await listed(store)).map(({ externalRef }) => externalRef);

  expect(found).toHaveLength(1_200);
  expect(new Set(found).size).toBe(1_200);
});
