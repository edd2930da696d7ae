import { join } from "node:path";
import {
  ConfigurationError,
  type D1Client,
  d1Store,
  type MysqlClient,
  memoryStore,
  mysqlStore,
  type PostgresClient,
  postgresStore,
  type RedisClient,
  redisStore,
  type StoreOptions,
  sqliteStore,
} from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { thrownBy } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const aRedisClient: RedisClient = { EVAL: async () => [], SCAN: async () => undefined };
const aMysqlClient: MysqlClient = { execute: async () => [] };
const aPostgresClient: PostgresClient = { query: async () => [] };
const aD1Client = { prepare: vi.fn(), batch: vi.fn() };

const STORES: readonly (readonly [string, (options: StoreOptions) => unknown])[] = [
  ["sqliteStore", (options) => sqliteStore(join(temporaryFolder(), "store.db"), options)],
  ["redisStore", (options) => redisStore(aRedisClient, options)],
  ["mysqlStore", (options) => mysqlStore(aMysqlClient, options)],
  ["postgresStore", (options) => postgresStore(aPostgresClient, options)],
  ["d1Store", (options) => d1Store(aD1Client, options)],
];

function expectRefusal(open: () => unknown, message: string) {
  const error = thrownBy(open);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
}

describe.each(STORES)("%s", (_name, open) => {
  test.each<[unknown, string]>([
    [{ namespace: "" }, "namespace must be a string that is not empty."],
    [{ namespace: "shop\0" }, "namespace must be well-formed text of at most 255 characters."],
    [{ namespace: "shop\ud800" }, "namespace must be well-formed text"],
    [{ namespace: "x".repeat(256) }, "namespace must be well-formed text"],
    [{ retentionDays: 0 }, "retentionDays must be a number above zero."],
    [{ retentionDays: "400" }, "retentionDays must be a number"],
    [{ retention: 400 }, "retention is not an option"],
    [null, "options"],
  ])("refuses the options %j", (options, message) => {
    expectRefusal(() => open(options as StoreOptions), message);
  });
});

test.each([
  ["maxOrders", 0],
  ["maxOrders", "3"],
  ["maxPostbacks", 1.5],
])("memoryStore refuses %s %j", (name, value) => {
  expectRefusal(() => memoryStore({ [name]: value }), `${name} must be a whole number above zero.`);
});

const NOT_REDIS = "client must be a client of node-redis or ioredis.";
const NOT_POSTGRES = "client must be a pool or client of pg";

const NOT_D1 = "database must be a D1 database, such as env.DB.";

test.each<[typeof redisStore | typeof postgresStore | typeof d1Store, string, unknown, string]>([
  [redisStore, "nothing", undefined, NOT_REDIS],
  [redisStore, "an address", "redis://localhost", NOT_REDIS],
  [redisStore, "a client of another service", { get: vi.fn(), set: vi.fn() }, NOT_REDIS],
  [postgresStore, "nothing", undefined, NOT_POSTGRES],
  [postgresStore, "an address", "postgres://127.0.0.1/shop", NOT_POSTGRES],
  [postgresStore, "an object without functions", { query: "SELECT 1" }, NOT_POSTGRES],
  [postgresStore, "a transaction of postgres.js", { unsafe: vi.fn(), savepoint: vi.fn() }, "a transaction"],
  [postgresStore, "a transaction of PGlite", { query: vi.fn(), rollback: vi.fn() }, "a transaction"],
  [d1Store, "nothing", undefined, NOT_D1],
  [d1Store, "the environment of a Worker", { DB: {} }, NOT_D1],
  [d1Store, "a session", { ...aD1Client, getBookmark: () => null }, "pass env.DB."],
])("%o refuses %s as a client", (open, _what, client, message) => {
  expectRefusal(() => open(client as RedisClient & PostgresClient & D1Client), message);
});

describe("sqliteStore", () => {
  test("refuses an empty path", () => {
    expectRefusal(() => sqliteStore(""), "path must be the name of a file.");
  });

  test.each([
    [
      "in a runtime without node:sqlite",
      () => vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never),
    ],
    ["on Workers", () => vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })],
  ])("names another store %s", (_where, simulate) => {
    simulate();

    expectRefusal(() => sqliteStore("x.db"), "use postgresStore with one client per request");
  });

  test.each([
    [":memory:", true],
    ["file::memory:?cache=shared", true],
    ["file:%3Amemory%3A", true],
    ["file:orders?mode=memory", true],
    ["file:FOLDER/store.db?vfs=memdb", true],
    ["file:", true], // a temporary file, which SQLite deletes
    ["FOLDER/store.db", false],
    ["FOLDER/:memory:", false],
    ["file:FOLDER/store.db?mode=rwc", false],
    ["file:FOLDER/store.db#mode=memory", false],
  ])("with %s warns that it does not survive a restart: %s", (path, hasWarning) => {
    const store = sqliteStore(path.replace("FOLDER", temporaryFolder()));
    onTestFinished(() => store.close());

    expect(store.warning?.includes("in the memory of this process")).toBe(hasWarning);
  });
});

test("memoryStore warns that it does not survive a restart", () => {
  expect(memoryStore().warning).toContain("or after a restart");
});
