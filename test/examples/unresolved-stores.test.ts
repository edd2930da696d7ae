import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import { type IdempotencyStore, postgresStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { nameOfStore, tellsPassword } from "../../examples/support/store-name.ts";
import { unresolvedIn } from "../../examples/unresolved/list-and-resolve.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { missingRedis, startRedis } from "../support/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runExample } from "./support/run-example.ts";

const LOST = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "the process" } as const;

const unresolved = (...args: readonly string[]) => runExample("unresolved", args);

/** Has an order of which nobody knows what became. */
async function loseIn(store: IdempotencyStore): Promise<void> {
  await store.claim(LOST, 60_000);
  await store.end(LOST, { outcome: "unknown" });
}

function aFileWith(...statements: readonly string[]): string {
  const file = join(temporaryFolder(), "shop.db");
  const database = new DatabaseSync(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return file;
}

describe("a SQLite file", () => {
  test.each([
    ["another application's", ["CREATE TABLE users (id INTEGER)"], "no such table: payments_orders"],
    [
      "another application's with a log",
      ["PRAGMA journal_mode = WAL", "CREATE TABLE users (id INTEGER)"],
      "no such table: payments_orders",
    ],
    [
      "another application's, whose orders are payments, too",
      ["CREATE TABLE payments_orders (id INTEGER)", "CREATE TABLE payments_postbacks (id INTEGER)"],
      "no such column",
    ],
    ["one without a table", [], "no such table: payments_orders"],
  ])(
    "that is not the store of the shop is refused, and stays as it is: %s",
    async (_what, statements, complaint) => {
      const file = aFileWith(...statements);
      const before = readFileSync(file);

      const { code, stdout, stderr } = await unresolved("list", "--store", file);

      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`${file} cannot be opened: ${complaint}`);
      expect(readFileSync(file)).toEqual(before);
      expect(readdirSync(dirname(file))).toEqual(["shop.db"]);
    },
  );

  test("that is empty is refused, and stays so", async () => {
    const file = join(temporaryFolder(), "shop.db");
    writeFileSync(file, "");

    const { code, stderr } = await unresolved("list", "--store", file);

    expect(code).toBe(1);
    expect(stderr).toContain("no such table: payments_orders");
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("that the shop has closed is read", async () => {
    const file = join(temporaryFolder(), "a shop's 100%.db");
    const store = sqliteStore(file);
    await loseIn(store);
    store.close();

    const { stdout, stderr } = await unresolved("list", "--store", file);

    expect(stdout, stderr).toMatch(/ 1 unresolved in .+, namespace default\.\n$/);
    expect(readdirSync(dirname(file))).toEqual(["a shop's 100%.db"]);
  });

  test("without orders in the namespace is refused", async () => {
    const file = join(temporaryFolder(), "shop.db");
    const store = sqliteStore(file);
    onTestFinished(() => store.close());
    await loseIn(store);

    const { code, stderr } = await unresolved("list", "--store", file, "--namespace", "another");

    expect(code).toBe(1);
    expect(stderr).toContain(`${file} has no orders in the namespace another.`);
  });
});

describe("on a server", () => {
  async function resolveOn(location: string, store: IdempotencyStore): Promise<void> {
    await loseIn(store);
    const finding = ["--attempt", "1", "--not-charged"];

    const elsewhere = await unresolved("list", "--store", location, "--namespace", "another");
    const listed = await unresolved("list", "--store", location);
    const resolved = await unresolved("resolve", "order-1", ...finding, "--store", location);

    expect(elsewhere.stderr).toContain("has no orders in the namespace another.");
    expect(listed.stdout, listed.stderr).toMatch(/Order +order-1\n/);
    expect(resolved.stdout, resolved.stderr).toContain("order-1 is free");
    expect(await unresolvedIn(store)).toEqual([]);
  }

  test("PostgreSQL", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const { host, port, user, database } = server.address;
    const location = `postgres://${user}@/${database}?host=${host}&port=${port}`;
    const pool = new Pool(server.address);
    onTestFinished(() => pool.end());
    const store = postgresStore(pool);

    const withoutTables = await unresolved("list", "--store", location);
    await store.migrate();

    expect(withoutTables.code).toBe(1);
    expect(withoutTables.stderr).toContain('relation "payments_orders" does not exist');
    await resolveOn(location, store);
  });

  test.skipIf(missingRedis !== undefined)("Redis", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const client = new Redis(server.path);
    onTestFinished(() => client.disconnect());

    const empty = await unresolved("list", "--store", `unix://${server.path}`);

    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain("has no orders in the namespace default.");
    await resolveOn(`unix://${server.path}`, redisStore(client));
  });
});

test.each([
  ["payments.db", "payments.db", false],
  ["/srv/shop@home/payments.db", "/srv/shop@home/payments.db", false],
  ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379", false],
  ["postgres://shop@db.example/pay", "postgres://db.example/pay", false],
  ["postgres://shop@/pay?host=/run/postgresql", "postgres:///pay", false],
  ["redis://shop:s3cr3t@127.0.0.1", "redis://127.0.0.1", true],
  ["redis://:s3cr3t@127.0.0.1", "redis://127.0.0.1", true],
  ["redis://shop:s3cr3t@x@127.0.0.1", "redis://127.0.0.1", true],
  ["postgres://127.0.0.1/pay?user=shop&password=s3cr3t", "postgres://127.0.0.1/pay", true],
  // written as if they were URLs, and taken for names of files
  ["shop:s3cr3t@127.0.0.1/pay", "The store", true],
  ["host=127.0.0.1 user=shop password=s3cr3t", "The store", true],
  // nobody can say where these passwords end
  ["redis://shop:s3cr3t/x@127.0.0.1", "redis://...", true],
  ["postgres://shop:12/s3cr3t@127.0.0.1/pay", "postgres://...", true],
  ["postgres://shop:12?s3cr3t@127.0.0.1/pay", "postgres://...", true],
  ["redis://:12#s3cr3t@127.0.0.1", "redis://...", true],
])("%s is called %s, and whether it tells a password: %s", (location, name, tells) => {
  expect(nameOfStore(location)).toBe(name);
  expect(tellsPassword(location)).toBe(tells);
});

test.each([
  ["redis://shop:s3cr3t@127.0.0.1:9", "redis://127.0.0.1:9 cannot be opened: connect ECONNREFUSED"],
  [
    "postgres://shop:s3cr3t@127.0.0.1:9/pay",
    "postgres://127.0.0.1:9/pay cannot be opened: connect ECONNREFUSED",
  ],
  ["postgres://shop:12/s3cr3t@127.0.0.1:9/pay", "postgres://... cannot be read: in its user and password"],
])(
  "a store that cannot be opened is told in a line, without its password: %s",
  async (location, complaint) => {
    const env = { PAYMENTS_STORE: location };

    const { code, stdout, stderr } = await runExample("unresolved", ["list"], { env });

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(complaint);
    expect(stderr).not.toMatch(/s3cr3t|:12\b/);
  },
);

test.each(["unresolved", "reconcile"])("%s takes no password among its flags", async (name) => {
  const words = name === "unresolved" ? ["list"] : ["--orders", "test/examples/support/orders.csv"];

  const { code, stderr } = await runExample(name, [...words, "--store", "redis://shop:s3cr3t@127.0.0.1:9"]);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^--store would show its password to others\. Set PAYMENTS_STORE\. [^\n]+\n$/);
  expect(stderr).not.toContain("s3cr3t");
});
