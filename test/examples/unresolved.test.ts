import { join } from "node:path";
import { Redis } from "ioredis";
import { type IdempotencyStore, postgresStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { tool } from "../project/support/tool.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { missingRedis, startRedis } from "../support/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ORDER = { amount: 1990, paymentMethod: "pix", owner: "the process" } as const;

const unresolved = (...args: readonly string[]) => tool("node", ["examples/unresolved.ts", ...args]);

/** A store in a file, in which nobody knows what became of one order, and another one is being sent. */
async function aStore(): Promise<{ file: string; store: IdempotencyStore }> {
  const file = join(temporaryFolder(), "payments.db");
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  const lost = { ...ORDER, externalRef: "order-1" };
  await store.claim(lost, 60_000);
  await store.end(lost, { outcome: "unknown" });
  await store.claim({ ...ORDER, externalRef: "order-2" }, 60_000);
  return { file, store };
}

async function listedIn(store: IdempotencyStore): Promise<string[]> {
  const references: string[] = [];
  for await (const { externalRef } of store.unresolved()) references.push(externalRef);
  return references;
}

const stateOf = (store: IdempotencyStore) =>
  store.claim({ ...ORDER, externalRef: "order-1", owner: "next" }, 1);

describe("without a command", () => {
  test("shows a time-out that its postback settles, and one that a person does", async () => {
    const { code, stdout, stderr } = await unresolved();

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/1\. .+\n +Create +order-1: TimeoutError\n +Outcome +unknown\n/);
    expect(stdout).toMatch(
      /2\. .+\n +Create +order-1: OutcomePendingError\n.+\n +Dashboard +order-1: transaction \d+\n/,
    );
    expect(stdout).toMatch(
      /3\. .+\n +0 unresolved\.\n +Create +order-1: approved, transaction \d+\n +Sent +no/,
    );
    expect(stdout).toMatch(
      /4\. .+\n +Create +order-2: ServerError\n(?:.*\n)+? +Order +order-2\n(?:.*\n)+? +1 unresolved\.\n/,
    );
    expect(stdout).toMatch(
      /5\. .+\n +Dashboard +order-2: no transaction\n +order-2 is free: .+\n +Create +order-2: pending/,
    );
  });
});

describe("list", () => {
  test("shows what is unresolved, and nothing else", async () => {
    const { file } = await aStore();

    const { code, stdout } = await unresolved("list", "--store", file);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Order +order-1\n +Amount +R\$\s19,90, pix, attempt 1\n +Since +\d{4}-.+, no answer/,
    );
    expect(stdout).not.toContain("order-2");
    expect(stdout).toMatch(/ 1 unresolved\.\n$/);
  });

  test.each([
    ["--older-than", "60"],
    ["--namespace", "another"],
  ])("leaves out what %s %s leaves out", async (...flag) => {
    const { file } = await aStore();

    const { stdout } = await unresolved("list", "--store", file, ...flag);

    expect(stdout).toBe("  0 unresolved.\n");
  });
});

describe("resolve", () => {
  test.each([
    [["--not-charged"], "order-1 is free", { state: "yours" }],
    [
      ["--transaction", "7", "--status", "approved"],
      "order-1 is created",
      { state: "created", transactionId: 7 },
    ],
    [["--transaction", "7", "--status", "expired"], "order-1 is free", { state: "yours" }],
  ])("%j records what a person found", async (finding, said, claim) => {
    const { file, store } = await aStore();

    const { code, stdout } = await unresolved(
      "resolve",
      "order-1",
      "--attempt",
      "1",
      ...finding,
      "--store",
      file,
    );

    expect(code).toBe(0);
    expect(stdout).toContain(said);
    expect(await listedIn(store)).toEqual([]);
    expect(await stateOf(store)).toMatchObject(claim);
  });

  test.each([
    ["an order that is being sent", ["order-2", "--not-charged", "--attempt", "1"], "OutcomePendingError"],
    ["an order that nobody knows", ["order-3", "--not-charged", "--attempt", "1"], "InvalidRequestError"],
    ["two findings", ["order-1", "--not-charged", "--transaction", "7", "--status", "paid"], "Say either"],
    ["no finding", ["order-1"], "Say either"],
    [
      "a status that there is not",
      ["order-1", "--attempt", "1", "--transaction", "7", "--status", "paid"],
      "--status must be",
    ],
    [
      "an id that is none",
      ["order-1", "--attempt", "1", "--transaction", "7a", "--status", "approved"],
      "--transaction must be",
    ],
    ["no order", ["--attempt", "1", "--not-charged"], "Which order?"],
    ["no attempt", ["order-1", "--not-charged"], "Which attempt?"],
    ["another attempt", ["order-1", "--attempt", "2", "--not-charged"], "by now there is attempt 1"],
  ])("%s changes nothing", async (_what, args, complaint) => {
    const { file, store } = await aStore();

    const { code, stderr } = await unresolved("resolve", ...args, "--store", file);

    expect(code).toBe(1);
    expect(stderr).toContain(complaint);
    expect(await listedIn(store)).toEqual(["order-1"]);
  });
});

test.each([
  ["a store that is not there", ["list", "--store", "/nowhere/payments.db"], "there is no such file"],
  ["a store that is none", ["list", "--store", "package.json"], "package.json cannot be opened"],
  [
    "a Redis that is away",
    ["list", "--store", "redis://shop:s3cr3t@127.0.0.1:9"],
    "redis://127.0.0.1:9 cannot be opened",
  ],
  [
    "a PostgreSQL that is away",
    ["list", "--store", "postgres://shop:s3cr3t@127.0.0.1:9/pay"],
    "postgres://127.0.0.1:9/pay cannot be opened",
  ],
  ["no store", ["list"], "Which store?"],
  ["another command", ["lists", "--store", "x.db"], "Say list or resolve."],
  ["a flag that there is not", ["list", "--stor", "x.db"], "--stor"],
  ["minutes that are none", ["list", "--store", "x.db", "--older-than", "soon"], "--older-than must be"],
])("%s is refused with what to do", async (_what, args, complaint) => {
  const { code, stderr } = await unresolved(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(complaint);
  expect(stderr).not.toContain("s3cr3t");
});

describe("on a server", () => {
  async function resolveOn(location: string, store: IdempotencyStore) {
    const lost = { ...ORDER, externalRef: "order-1" };
    await store.claim(lost, 60_000);
    await store.end(lost, { outcome: "unknown" });

    const listed = await unresolved("list", "--store", location);
    const resolved = await unresolved(
      "resolve",
      "order-1",
      "--attempt",
      "1",
      "--not-charged",
      "--store",
      location,
    );

    expect(listed.stdout, listed.stderr).toMatch(/Order +order-1\n/);
    expect(resolved.stdout, resolved.stderr).toContain("order-1 is free");
    expect(await listedIn(store)).toEqual([]);
  }

  test("PostgreSQL", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const { host, port, user, database } = server.address;
    const pool = new Pool(server.address);
    onTestFinished(() => pool.end());
    const store = postgresStore(pool);
    await store.migrate();

    await resolveOn(`postgres://${user}@/${database}?host=${host}&port=${port}`, store);
  });

  test.skipIf(missingRedis !== undefined)("Redis", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const client = new Redis(server.path);
    onTestFinished(() => client.disconnect());

    await resolveOn(`unix://${server.path}`, redisStore(client));
  });
});
