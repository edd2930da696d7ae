import { join } from "node:path";
import {
  ConfigurationError,
  memoryStore,
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
const aPostgresClient: PostgresClient = { query: async () => [] };

const STORES: readonly (readonly [string, (options: StoreOptions) => unknown])[] = [
  ["sqliteStore", (options) => sqliteStore(join(temporaryFolder(), "store.db"), options)],
  ["redisStore", (options) => redisStore(aRedisClient, options)],
  ["postgresStore", (options) => postgresStore(aPostgresClient, options)],
];

function expectRefusal(open: () => unknown, message: string) {
  const error = thrownBy(open);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
}

describe.each(STORES)("%s", (_name, open) => {
  test.each<[unknown, string]>([
    [{ namespace: "" }, "namespace must be a string that is not empty."],
    [{ namespace: 1 }, "namespace must be a string"],
    [{ namespace: "shop\0" }, "namespace must be well-formed text of at most 255 characters."],
    [{ namespace: "shop\ud800" }, "namespace must be well-formed text"],
    [{ namespace: "x".repeat(256) }, "namespace must be well-formed text"],
    [{ retentionDays: 0 }, "retentionDays must be a number above zero."],
    [{ retentionDays: Number.NaN }, "retentionDays must be a number"],
    [{ retentionDays: "400" }, "retentionDays must be a number"],
    [{ retention: 400 }, "retention is not an option"],
    [null, "options"],
  ])("refuses the options %j", (options, message) => {
    expectRefusal(() => open(options as StoreOptions), message);
  });
});

test.each(STORES.slice(1))("%s accepts a namespace of 255 characters", (_name, open) => {
  expect(open({ namespace: "x".repeat(255) })).toBeDefined();
});

test.each(
  ["maxOrders", "maxPostbacks"].flatMap((name) => [0, 1.5, "3"].map((value) => [name, value] as const)),
)("memoryStore refuses %s %j", (name, value) => {
  expectRefusal(() => memoryStore({ [name]: value }), `${name} must be a whole number above zero.`);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["an address", "redis://localhost"],
  ["a client of another service", { get: () => "", set: () => "" }],
])("redisStore refuses %s as a client", (_what, client) => {
  expectRefusal(() => redisStore(client as RedisClient), "client must be a client of node-redis or ioredis.");
});

test.each<[string, unknown, string]>([
  ["nothing", undefined, "client must be a pool or client of pg"],
  ["an address", "postgres://127.0.0.1/shop", "client must be a pool or client of pg"],
  ["an object without functions", { query: "SELECT 1" }, "client must be a pool or client of pg"],
  ["a transaction of postgres.js", { unsafe: vi.fn(), savepoint: vi.fn() }, "must not be a transaction"],
  ["a transaction of PGlite", { query: vi.fn(), rollback: vi.fn() }, "must not be a transaction"],
])("postgresStore refuses %s as a client", (_what, client, message) => {
  expectRefusal(() => postgresStore(client as PostgresClient), message);
});

describe("sqliteStore", () => {
  test("refuses an empty path, and a runtime without node:sqlite", () => {
    expectRefusal(() => sqliteStore(""), "path must be the name of a file.");

    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    expectRefusal(() => sqliteStore("x.db"), "sqliteStore needs node:sqlite");
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

    expect(store.warning !== undefined).toBe(hasWarning);
  });
});

test("memoryStore warns that it does not survive a restart", () => {
  expect(memoryStore().warning).toContain("or after a restart");
});
