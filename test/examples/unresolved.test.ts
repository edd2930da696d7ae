import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type IdempotencyStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { tool } from "../support/tool.ts";
import { runExample } from "./support/run-example.ts";

const ORDER = { amount: 1990, paymentMethod: "pix", owner: "the process" } as const;

const unresolved = (...args: readonly string[]) => runExample("unresolved", args);

/** A store in a file, in which nobody knows what became of one order, and another one is being sent. */
async function aStore(namespace?: string): Promise<{ file: string; store: IdempotencyStore }> {
  const file = join(temporaryFolder(), "payments.db");
  const store = sqliteStore(file, { namespace });
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
      /3\. .+\n +0 unresolved in payments\.db\.\n +Create +order-1: approved, transaction \d+\n +Sent +no/,
    );
    expect(stdout).toMatch(
      /4\. .+\n +Create +order-2: ServerError\n(?:.*\n)+? +Order +order-2\n(?:.*\n)+? +1 unresolved in payments\.db\.\n/,
    );
    expect(stdout).toMatch(
      /5\. .+\n +Dashboard +order-2: no transaction\n +order-2 is free: .+\n +Create +order-2: pending/,
    );
  });
});

test("nothing is left behind for whoever reads the first line only", async () => {
  const folder = temporaryFolder();
  const line = `TMPDIR='${folder}' '${process.execPath}' examples/unresolved.ts | head -n 1`;

  const { code } = await tool("sh", ["-c", line]);

  expect(code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
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
    expect(stdout).toMatch(/ 1 unresolved in .+payments\.db, namespace default\.\n$/);
  });

  test("leaves out what --older-than leaves out", async () => {
    const { file } = await aStore();

    const { stdout } = await unresolved("list", "--store", file, "--older-than", "60");

    expect(stdout).toBe(`  0 unresolved in ${file}, namespace default.\n`);
  });

  test("looks into the namespace that it is told", async () => {
    const { file, store } = await aStore("shop");

    const { stdout } = await unresolved("list", "--store", file, "--namespace", "shop", "--json");

    expect(JSON.parse(stdout)).toMatchObject([{ externalRef: "order-1" }]);
    expect(await listedIn(store)).toEqual(["order-1"]);
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
    [
      "two findings",
      ["order-1", "--not-charged", "--transaction", "7", "--status", "approved"],
      "Say either",
    ],
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
  ["no store", ["list"], "Which store?"],
  ["another command", ["lists", "--store", "x.db"], "Say list or resolve."],
  ["a flag that there is not", ["list", "--stor", "x.db"], "--stor"],
  ["minutes that are none", ["list", "--store", "x.db", "--older-than", "soon"], "--older-than must be"],
  ["minutes in hexadecimal", ["list", "--store", "x.db", "--older-than", "0x10"], "--older-than must be"],
  ["minutes without an end", ["list", "--store", "x.db", "--older-than", "Infinity"], "--older-than must be"],
])("%s is refused with what to do", async (_what, args, complaint) => {
  const { code, stderr } = await unresolved(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(complaint);
});
