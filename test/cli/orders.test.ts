import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { type ClaimedOrder, type OrderRecord, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/cli/command.ts";
import type { Context } from "../../src/cli/context.ts";
import type { OpenStore } from "../../src/cli/open-store.ts";
import { listOrders } from "../../src/cli/orders/list-orders.ts";
import { redactSecrets } from "../../src/cli/store-name.ts";
import { aGate } from "../support/http-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answerQuestions, folderWithDriver, runCli, startCli } from "./support/run-cli.ts";

const MINUTE_MS = 60_000;

/** Runs a statement on payments.db. */
function change(cwd: string, statement: string): void {
  const database = new DatabaseSync(join(cwd, "payments.db"));
  database.exec(statement);
  database.close();
}

/** Creates payments.db with an order in each state, and returns what runs `payments orders` on it. */
async function createShop({ namespace = "default" } = {}) {
  const cwd = temporaryFolder();
  const store = sqliteStore(join(cwd, "payments.db"), { namespace });
  const claim = async (externalRef: string, leaseMs = MINUTE_MS, terms: Partial<ClaimedOrder> = {}) => {
    const order = { externalRef, amount: 1990, paymentMethod: "pix", owner: externalRef, ...terms } as const;
    await store.claim(order, leaseMs);
    return order;
  };
  await store.recordOutcome(await claim("lost pix"), { outcome: "unknown" });
  const card = await claim("card's", MINUTE_MS, { paymentMethod: "credit_card", installments: "2" });
  await store.recordOutcome(card, { outcome: "unknown" });
  await claim("sending");
  const transaction = { id: 7, status: "approved", rawStatus: "approved", amount: 1990 } as const;
  const created = { outcome: "created", transactionId: 7 } as const;
  await store.recordOutcome(await claim("paid"), {
    ...created,
    transaction: { ...transaction, paymentMethod: "pix" },
  });
  await store.recordPostback("paid", { ...transaction, id: 8 });
  const refused = { ...transaction, id: 6, status: "refused", rawStatus: "refused" } as const;
  await store.recordOutcome(await claim("free"), { outcome: "unknown" });
  await store.recordPostback("free", refused);
  await store.recordOutcome(await claim("free"), { outcome: "not_created" });
  store.close();
  change(cwd, "UPDATE payments_orders SET changed_at = changed_at - 10000 * (6 - rowid)"); // 50 s, 40 s, ... old

  const env = { PAYMENTS_STORE: "payments.db" };
  const orders = (...args: readonly string[]) => runCli(["orders", ...args], { cwd, env });
  const show = async (externalRef: string) =>
    JSON.parse((await orders("show", externalRef, "--json")).stdout) as OrderRecord;
  const resolve = (externalRef: string, flags: string) => orders("resolve", externalRef, ...flags.split(" "));
  return { cwd, env, orders, show, resolve };
}

describe("list", () => {
  test.each([
    ["--json", ["lost pix", "card's", "sending", "paid", "free"]],
    ["--json --state unresolved", ["lost pix", "card's"]],
    ["--json --status approved", ["paid"]],
    ["--json --limit 2", ["lost pix", "card's"]],
    ["--json --older-than 35s", ["lost pix", "card's"]],
    ["--json --older-than 15m", []],
  ])("%s prints the matching orders as lines of JSON, the oldest first", async (flags, expected) => {
    const { orders } = await createShop();

    const { exitCode, stdout } = await orders("list", ...flags.split(" "));

    const lines = stdout.split("\n").filter((line) => line !== "");
    expect(exitCode).toBe(0);
    expect(lines.map((line) => (JSON.parse(line) as OrderRecord).externalRef)).toEqual(expected);
  });

  test("--status unrecognized also finds an order whose response could not be read", async () => {
    const { cwd, orders } = await createShop();
    const store = sqliteStore(join(cwd, "payments.db"));
    for (const [owner, status] of [
      ["unread"],
      ["strange", "unrecognized"],
      ["waiting", "pending"],
    ] as const) {
      const order = { externalRef: owner, amount: 1990, paymentMethod: "pix", owner } as const;
      const transaction = status && ({ id: 9, status, amount: 1990, paymentMethod: "pix" } as const);
      await store.claim(order, MINUTE_MS);
      await store.recordOutcome(order, { outcome: "created", transactionId: 9, transaction });
    }
    store.close();

    const { stdout } = await orders("list", "--status", "unrecognized");

    expect(stdout.match(/^\S+/gm)).toEqual(["unread", "strange"]);
  });

  test.each(["--state=free", "--json"])("%s fails in a namespace without orders", async (flag) => {
    const { cwd, orders } = await createShop({ namespace: "shop-a\u001b[2J" });

    const { exitCode, stderr } = await orders("list", flag);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`No orders in namespace "default" of ${cwd}/payments.db.`);
    expect(stderr).toContain("The database has orders in: shop-a\\u001b[2J");
  });

  test("that is empty names at most twenty other namespaces, and what --older-than leaves out", async () => {
    const { cwd, orders } = await createShop();
    copyOrder(cwd, 25, "'shop-' || (x + 9), key, changed_at");

    const { exitCode, stderr } = await orders("list", "--state", "unresolved", "--older-than", "15m");

    expect(exitCode).toBe(0);
    expect(stderr).toContain("Other namespaces were not read: shop-10, ");
    expect(stderr).toContain("shop-29 and 5 more.");
    expect(stderr).toContain("--older-than");
    const wrong = await orders("list", "--namespace", "other");
    expect(wrong.stderr).toContain("shop-28 and 6 more (use --namespace <name>)");
  });

  test("prints a table in a terminal", async () => {
    const { cwd, env } = await createShop();
    const written: string[] = [];
    const stdout = { write: (text: string) => written.push(text), isTTY: true };

    await runCli(["orders", "list"], { cwd, env: { ...env, NO_COLOR: "1" }, stdout });

    const [header, , , , paid] = written.join("").split("\n");
    expect(header).toMatch(/^reference +state +status +amount +method +attempt +since +transaction$/);
    expect(paid).toMatch(/^paid +created +approved +R\$\s19,90 +pix +1 +\d+s +7, possibly also 8$/);
  });
});

test.each([
  ["does not exist", undefined, "there is no such file"],
  ["is not a database", "order-1,1990\n".repeat(100), "not a SQLite database"],
  ["has no orders of this package", "", "has no table payments_orders"],
])(
  "a file that %s is an error with its absolute path, and is not changed; a folder is not opened",
  async (_what, content, message) => {
    const cwd = temporaryFolder();
    const path = join(cwd, "wrong.db");
    if (content !== undefined) writeFileSync(path, content);

    const { exitCode, stderr } = await runCli(["orders", "list", "--store", "wrong.db"], { cwd });

    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`payments: ${path}`);
    expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(content);
    const folder = await runCli(["orders", "list", "--store", "."], { cwd });
    expect(folder.stderr).toBe(`payments: ${cwd}: it is not a file.\n`);
  },
);

test("a command leaves no file next to a database of something else", async () => {
  const cwd = temporaryFolder();
  change(cwd, "PRAGMA journal_mode = WAL; CREATE TABLE notes (note)");

  const { stderr } = await runCli(["orders", "list", "--store", "payments.db"], { cwd });

  expect(stderr).toContain("has no table payments_orders");
  expect(readdirSync(cwd)).toEqual(["payments.db"]);
});

test("an error that node-redis reports while it connects, such as of one node, does not fail the command", async () => {
  const cwd = folderWithDriver('client.emit("error", new Error("a node is down"))');

  const { stderr } = await runCli(["orders", "list", "--store", "redis://127.0.0.1"], { cwd });

  expect(stderr).toContain("The database has no orders at all");
});

describe("show", () => {
  test.each([
    ["lost pix", [/unresolved/, /--transaction <id> --status expired/, /--not-charged/, /replaceLost: true/]],
    ["card's", [/unresolved/, /credit_card in 2 installments/, /with the service/]],
    ["sending", [/claimed/, /Wait for it to finish/]],
    ["paid", [/created/, /Ship it/, /onReview/, /Possibly charged twice: check 8 \(approved\)/]],
    ["free", [/The next create call with this reference is sent/]],
  ])("prints what is known of %s, and what to do", async (externalRef, patterns) => {
    const { orders } = await createShop();

    const { stdout } = await orders("show", externalRef);

    for (const pattern of patterns) expect(stdout).toMatch(pattern);
  });

  test("prints a command that resolves the order", async () => {
    const { orders, show } = await createShop();
    const { stdout } = await orders("show", "card's", "--store", "payments.db");
    const [command = ""] = /payments orders resolve .*--not-charged.*/.exec(stdout) ?? [];
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" }).split("\n");

    await orders(...words.slice(2, -1), "--yes", "--early");

    expect(await show("card's")).toMatchObject({ state: "free" });
  });

  test("prints how to correct a transaction that a person recorded", async () => {
    const { orders, resolve } = await createShop();
    expect((await orders("show", "paid")).stdout).not.toContain("--correct");
    await resolve("lost pix", "--attempt 1 --transaction 50 --status approved --yes");

    const { stdout } = await orders("show", "lost pix");

    expect(stdout).toContain("'lost pix' --attempt 1 --transaction <id> --status <status> --correct");
  });

  test("fails for an unknown order, and names the namespace that has it, quoted for a shell", async () => {
    const { orders } = await createShop({ namespace: "; id #" });
    const suggestion = "use --namespace '; id #'";

    expect((await orders("show", "paid")).stderr).toContain(`There is one in ; id #: ${suggestion}`);
    expect((await orders("show", "nope")).stderr).toContain(suggestion);
    expect(await orders("show", "nope", "--namespace", "; id #")).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

describe("resolve", () => {
  const HUGE = "99999999999999999999";

  test.each([
    ["--not-charged --early", { state: "free" }, "The next create call"],
    ["--transaction 5 --status refused --early", { state: "free" }, "The next create call"],
    [
      "--transaction 5 --status approved",
      { state: "created", transactionId: 5 },
      "npx payments postbacks deliver 'lost pix' --to <url> --store payments.db --namespace default\n",
    ],
    ["--transaction 5 --status pending", { state: "created", transactionId: 5 }, "no one can pay it"],
    [`--transaction ${HUGE} --status approved`, { state: "created", transactionId: HUGE }, "Ship it"],
  ])("%s records it, and says what the shop has to do", async (flags, expected, advice) => {
    const { resolve, show } = await createShop();

    const store = "--store payments.db --namespace default";
    const { exitCode, stdout } = await resolve("lost pix", `--attempt 1 ${flags} --yes ${store}`);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("No callback of your handler runs");
    expect(stdout).toContain(advice);
    expect(await show("lost pix")).toMatchObject(expected);
  });

  test.each<
    [
      externalRef: string,
      before: { by?: number; also?: object },
      flags: string,
      advice: RegExp,
      canDeliver?: true,
    ]
  >([
    [
      "paid",
      {},
      "--transaction 7 --status cancelled --correct",
      /transaction 8, approved(.|\n)*Ship it/,
      true,
    ],
    ["lost pix", {}, `--transaction ${HUGE} --status approved`, /Ship it/], // no postback can have it
    [
      "lost pix",
      { by: 5, also: { id: 6, amount: 100 } },
      "--transaction 5 --status cancelled --correct",
      /transaction 6, approved(.|\n)*Do not ship it/,
    ],
    [
      "lost pix",
      { by: 50, also: { id: 5, amount: 1990 } }, // which the mistake may have met
      "--transaction 5 --status approved --correct",
      /Do it by hand/,
    ],
  ])("of %s, after %j, %s says what to do, and suggests a delivery only if one can work", async (...row) => {
    const [externalRef, { by, also }, flags, advice, canDeliver = false] = row;
    const { cwd, resolve } = await createShop();
    const store = sqliteStore(join(cwd, "payments.db"));
    if (by !== undefined) await store.resolve("lost pix", { transactionId: by, status: "approved" });
    const postback = { id: 6, amount: 100, status: "approved", rawStatus: "approved", ...also } as const;
    if (also !== undefined) await store.recordPostback("lost pix", postback);
    store.close();

    const { stdout } = await resolve(externalRef, `--attempt 1 ${flags} --early --yes`);

    expect(stdout).toMatch(advice);
    expect(stdout.includes("postbacks deliver")).toBe(canDeliver);
  });

  test.each([
    ["lost pix", "--attempt 2 --not-charged --yes", "the latest is attempt 1"],
    ["sending", "--attempt 1 --not-charged --yes", "in a minute"],
    ["paid", "--attempt 1 --not-charged --yes", "the order has transaction 7"],
    ["lost pix", "--attempt 1 --not-charged --yes", "Only 0 min have passed since the last change, not 15."],
    ["paid", "--attempt 1 --transaction 9 --status approved --yes", "add --correct if it is a mistake"],
    [
      "paid",
      "--attempt 1 --transaction 9 --status approved --yes --correct",
      "transaction 7 cannot be replaced",
    ],
    [
      "lost pix",
      "--attempt 1 --transaction 5 --status pending --deliver-to http://localhost",
      "--deliver-to",
    ],
    [
      "lost pix",
      "--attempt 1 --transaction 5 --status approved --deliver-to http://localhost",
      "POSTBACK_SECRET",
    ],
    ["lost pix", "--attempt 1 --transaction 7 --status approved --yes", 'belongs to order "paid"'],
    ["lost pix", "--attempt 1 --transaction 8 --status approved --yes", 'belongs to order "paid"'],
    ["lost pix", "--attempt 1 --transaction 6 --status approved --yes", 'belongs to order "free"'],
    ["paid", "--attempt 1 --transaction 7 --status refused --yes", "add --correct"],
    ["lost pix", "--attempt 1 --not-charged", "without a terminal, pass --yes"],
    ["lost pix", "--not-charged --yes", "--attempt"],
    ["lost pix", "--attempt 1 --yes", "Pass either --not-charged"],
    ["lost pix", "--attempt 1 --transaction 5 --yes", "Pass either --not-charged"],
    ["lost pix", "--attempt 1 --transaction 1.5 --status approved --yes", "a whole number"],
    ["lost pix", "--attempt 1 --transaction 5 --status paid --yes", "Allowed choices"],
  ])("%s %s records nothing", async (externalRef, flags, message) => {
    const { resolve, show } = await createShop();
    const { since: _, ...before } = await show(externalRef);

    const { exitCode, stderr } = await resolve(externalRef, flags);

    expect(exitCode).toBe(1);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(message)]);
    expect(await show(externalRef)).toMatchObject(before);
  });

  test("--correct records a transaction that another order has by mistake, also if a record is damaged", async () => {
    const { cwd, resolve, show } = await createShop();
    change(cwd, "UPDATE payments_orders SET body = '{}' WHERE key = 'free'");
    const flags = "--attempt 1 --transaction 7 --status approved --yes";

    expect((await resolve("lost pix", flags)).exitCode).toBe(1);
    const { stdout } = await resolve("lost pix", `${flags} --correct`);

    expect(stdout).toMatch(/Check with the service: .*reference lost pix, R\$\s19,90, pix/);
    expect(await show("lost pix")).toMatchObject({ transactionId: 7 });
  });

  test.each([
    ["a transaction", "--transaction 5 --status approved", { state: "created", transactionId: 5 }],
    ["no transaction", "--not-charged", { state: "free" }],
  ])("--correct replaces a mistyped transaction by %s", async (_what, flags, expected) => {
    const { resolve, show } = await createShop();
    await resolve("lost pix", "--attempt 1 --transaction 50 --status approved --yes");

    const { stdout } = await resolve("lost pix", `--attempt 1 ${flags} --yes --early --correct`);

    expect(stdout).toContain("Transaction 50 was recorded by mistake, and is forgotten.");
    expect(await show("lost pix")).toMatchObject({ ...expected, earlierIds: [], possibleDuplicates: [] });
  });

  test("--correct does not replace a transaction that changed after the question", async () => {
    const { cwd, env, resolve, show } = await createShop();
    await resolve("lost pix", "--attempt 1 --transaction 50 --status approved --yes");
    const { stdin, stderr } = answerQuestions("y");
    const write = (text: string) => {
      const store = sqliteStore(join(cwd, "payments.db"));
      const isQuestion = text.endsWith("[y/N] ");
      const other = { transactionId: 6, status: "approved", replaces: 50 } as const;
      const changed = isQuestion ? store.resolve("lost pix", other) : Promise.resolve();
      void changed.then(() => store.close()).then(() => stderr.write(text));
    };

    const finding = ["--attempt", "1", "--transaction", "5", "--status", "approved", "--correct"];
    const run = await runCli(["orders", "resolve", "lost pix", ...finding], {
      ...{ cwd, env, stdin },
      stderr: { write },
    });

    expect(run.exitCode).toBe(1);
    expect(await show("lost pix")).toMatchObject({ transactionId: 6 });
  });

  test("--correct and show name the other orders that have the transaction", async () => {
    const { orders, resolve, show } = await createShop();
    const { stdout } = await resolve(
      "lost pix",
      "--attempt 1 --transaction 7 --status approved --yes --correct",
    );

    expect(stdout).toContain('transaction 7 is also recorded for "paid"');
    expect((await orders("show", "paid")).stdout).toContain('also recorded for "lost pix"');
    expect(await show("lost pix")).toMatchObject({ sharedWith: ["paid"] });
    expect(await show("card's")).toMatchObject({ sharedWith: [] });
  });

  const APPROVED = "--transaction 5 --status approved";

  test.each([
    [APPROVED, ["y"], 0, "created"],
    [APPROVED, [""], 0, "unresolved"],
    ["--not-charged", ["y", "y"], 0, "free"], // early, so it asks again
    ["--not-charged", ["y", "n"], 0, "unresolved"],
    ["--not-charged", ["y"], 15, "free"],
  ])(
    "%s asks in a terminal: after %j, and %i minutes, the order is %s",
    async (flags, answers, minutes, state) => {
      const { cwd, env, show } = await createShop();
      change(cwd, `UPDATE payments_orders SET changed_at = changed_at - ${minutes * MINUTE_MS}`);
      const { stdin, stderr, questions } = answerQuestions(...answers);

      const argv = ["orders", "resolve", "lost pix", "--attempt", "1", ...flags.split(" ")];
      await runCli(argv, { cwd, env, stdin, stderr });

      expect(questions).toHaveLength(answers.length);
      expect(await show("lost pix")).toMatchObject({ state });
    },
  );

  test.each([
    ["none is recorded", "", "--transaction 5 --status refused", undefined],
    ["it is recorded by hand", "pending", "--transaction 50 --status cancelled", 50],
    ["it replaces one", "approved", "--transaction 5 --status expired --correct", 50],
  ])("a transaction that charged no one frees an order early only with --early, if %s", async (...row) => {
    const [, before, finding, transactionId] = row;
    const { resolve, show } = await createShop();
    if (before) await resolve("lost pix", `--attempt 1 --transaction 50 --status ${before} --yes`);

    const refused = await resolve("lost pix", `--attempt 1 ${finding} --yes`);
    const kept = await show("lost pix");
    await resolve("lost pix", `--attempt 1 ${finding} --yes --early`);

    expect(refused.exitCode).toBe(1);
    expect(kept.transactionId).toBe(transactionId);
    expect(await show("lost pix")).toMatchObject({ state: "free" });
  });

  test("after its delivery, a mistyped transaction can neither be replaced, nor free the order early without --early", async () => {
    const { cwd, resolve, show } = await createShop();
    await resolve("lost pix", "--attempt 1 --transaction 50 --status approved --yes");
    const store = sqliteStore(join(cwd, "payments.db"));
    await store.recordPostback("lost pix", {
      id: 50,
      status: "approved",
      rawStatus: "approved",
      amount: 1990,
    });
    store.close();

    const replaced = await resolve(
      "lost pix",
      "--attempt 1 --transaction 5 --status approved --correct --yes",
    );
    const freed = await resolve("lost pix", "--attempt 1 --transaction 50 --status refused --correct --yes");

    expect(replaced.stderr).toContain("do not free the order");
    expect(freed.stderr).toContain("Wait, or add --early");
    expect(await show("lost pix")).toMatchObject({ state: "created", transactionId: 50 });
  });

  test("what another order has too frees an order early only with --early", async () => {
    const { resolve, show } = await createShop();
    await resolve("lost pix", "--attempt 1 --transaction 7 --status approved --yes --correct");

    await resolve("paid", "--attempt 1 --transaction 7 --status cancelled --yes --correct");

    expect(await show("paid")).toMatchObject({ transactionId: 7 });
  });

  test("Ctrl-C at a question records nothing", async () => {
    const { cwd, env, show } = await createShop();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const argv = ["orders", "resolve", "lost pix", "--attempt", "1", "--not-charged"];
    const run = startCli(argv, {
      ...{ cwd, env, stdin },
      stderr: { write: (text) => text.endsWith("[y/N] ") && run.interrupt() },
    });

    expect(await run.exitCode).toBe(1);
    expect(await show("lost pix")).toMatchObject({ state: "unresolved" });
  });
});

test.each([
  ["a paid card", { paymentMethod: "credit_card", installments: "3" }, "approved", {}, "in 3 installments"],
  ["another amount", {}, "approved", { amount: 990 }, "not the amount of the order"],
  ["a part paid", {}, "approved", { paidAmount: 100 }, /charged +R\$\s1,00, not the amount of the order/],
  ["a part paid", {}, "approved", { paidAmount: 100 }, "approved over another amount. Do not ship it"],
  ["a part paid", {}, "approved", { paidAmount: 100 }, "--transaction 7 --status approved"],
  ["no paid amount", {}, "approved", { paidAmount: 0 }, "It is paid. Ship it"],
  ["a pix with its code", {}, "pending", { pix: { qrcodeText: "0002" } }, "known: create calls return it"],
  ["a pending pix", {}, "pending", { pix: { qrcodeText: "0002" } }, "--transaction 7 --status approved"],
  ["a pix without its code", {}, "pending", { pix: { qrcodeText: "" } }, "replaceLost: true"],
  ["an unknown status", {}, "unrecognized", {}, "Check transaction 7"],
  ["money given back", {}, "refunded", {}, "Do not ship it"],
  ["a card in analysis", { paymentMethod: "credit_card", installments: "1" }, "processing", {}, "Wait for"],
] as const)("show explains a second attempt with %s", async (_what, terms, status, changes, text) => {
  const cwd = temporaryFolder();
  const store = sqliteStore(join(cwd, "payments.db"));
  const first = { externalRef: "o", amount: 1990, paymentMethod: "pix", owner: "1", ...terms } as const;
  const second = { ...first, owner: "2" };
  const { paymentMethod, amount } = first;
  const transaction = { id: 7, rawStatus: status, status, amount, paymentMethod, ...changes };
  await store.claim(first, MINUTE_MS);
  await store.recordOutcome(first, { outcome: "not_created" });
  await store.claim(second, MINUTE_MS);
  await store.recordOutcome(second, { outcome: "created", transactionId: 7, transaction });
  store.close();

  const { stdout } = await runCli(["orders", "show", "o", "--store", "payments.db"], { cwd });

  expect(stdout).toMatch(text);
  expect(stdout).toContain("the service may also have");
});

/** Copies an order this many times, with these values for its namespace, its key and the time of its change. */
function copyOrder(cwd: string, count: number, values: string): void {
  const numbers = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count})`;
  const columns = "namespace, key, changed_at, version, is_open, body";
  const copy = `SELECT ${values}, version, is_open, body FROM payments_orders, n WHERE key = 'free'`;
  change(cwd, `${numbers} INSERT INTO payments_orders (${columns}) ${copy}`);
}

test.each([
  ["prints an order before it has read the next one", {}, [/^first\t/, /^1 order /]],
  ["with --limit prints nothing after Ctrl-C: what was read is not the oldest", { limit: 1 }, []],
])("list %s", async (_title, flags: { limit?: number }, printed) => {
  const [read, written] = [aGate(), aGate()];
  const never = new Promise<void>(() => {});
  const order = { externalRef: "first", state: "free", amount: 1, attempt: 1, since: "2026-03-01T12:31:00Z" };
  const list = async function* () {
    yield { ...order, paymentMethod: "pix", possibleDuplicates: [] } as unknown as OrderRecord;
    read.open();
    await (flags.limit === undefined ? written.passed : never);
  };
  const texts: string[] = [];
  const stdout = { write: (text: string) => [texts.push(text), written.open()] };
  const opened = { name: "a", namespace: "b", store: { list } } as unknown as OpenStore;
  const untilInterrupted = () => (flags.limit === undefined ? never : read.passed);
  const context = { stdout, stderr: stdout, env: {}, untilInterrupted };

  await listOrders(context as unknown as Context, opened, flags).catch(() => undefined);

  expect(texts).toEqual(printed.map((text) => expect.stringMatching(text)));
});

test("list ends on Ctrl-C, and its database is closed", async () => {
  const { cwd, env } = await createShop();
  copyOrder(cwd, 3_000, "namespace, 'copy-' || x, changed_at + x");
  const run = startCli(["orders", "list"], { cwd, env, stdout: { write: () => run.interrupt() } });

  expect(await run.exitCode).toBe(1);
  expect(run.stderr()).toBe("");
  expect(readdirSync(cwd)).toEqual(["payments.db"]);
});

test("list waits for a slow reader", async () => {
  const { cwd, env } = await createShop();
  copyOrder(cwd, 3_000, "namespace, 'copy-' || x, changed_at + x");
  const written: string[] = [];
  const drains: (() => void)[] = [];
  const stdout = {
    write: (text: string) => written.push(text),
    get writableNeedDrain() {
      return drains.length === 0;
    },
    once: (_event: string, listener: () => void) => drains.push(listener),
  };

  const run = startCli(["orders", "list"], { cwd, env, stdout });
  await expect.poll(() => drains.length).toBe(1);

  expect(written.join("").match(/\n/g)?.length).toBeLessThanOrEqual(1_000); // a slow machine prints a smaller group
  drains[0]?.();
  expect(await run.exitCode).toBe(0);
  expect(written.join("").match(/\n/g)).toHaveLength(3_005);
});

test("list waits for a slow reader, also if it reads the orders slowly itself", async () => {
  const [written, waiting] = [aGate(), aGate()];
  const order = { externalRef: "first", state: "free", amount: 1, attempt: 1, since: "2026-03-01T12:31:00Z" };
  const record = { ...order, paymentMethod: "pix", possibleDuplicates: [] } as unknown as OrderRecord;
  let isReadOn = false;
  const list = async function* () {
    yield record;
    await written.passed;
    yield record;
    isReadOn = true;
  };
  let drain = () => {};
  const stdout = {
    write: written.open,
    writableNeedDrain: true,
    once(_event: string, listener: () => void) {
      drain = listener;
      waiting.open();
    },
  };
  const opened = { name: "a", namespace: "b", store: { list } } as unknown as OpenStore;
  const context = { stdout, stderr: { write() {} }, env: {}, untilInterrupted: () => new Promise(() => {}) };

  const listing = listOrders(context as unknown as Context, opened, {});
  await waiting.passed;

  expect(isReadOn).toBe(false);
  stdout.writableNeedDrain = false;
  drain();
  await listing;
  expect(isReadOn).toBe(true);
});

test.each([["--header"], []])("elsewhere than in a terminal, %s decides about a header", async (...flags) => {
  const { orders } = await createShop();

  const { stdout } = await orders("list", ...flags);

  expect(stdout.split("\n")[0]).toMatch(
    flags.length > 0 ? /^reference\tstate\tstatus\tamount\t/ : /^lost pix\t/,
  );
});

test("list prints a thousand orders at a time, and with --limit the oldest of all", async () => {
  const { cwd, orders } = await createShop();
  copyOrder(cwd, 2_100, "namespace, 'copy-' || x, changed_at + x");

  expect((await orders("list", "--json")).stdout.trim().split("\n")).toHaveLength(2_105);
  const { stdout, stderr } = await orders("list", "--json", "--limit", "1");
  expect(JSON.parse(stdout)).toMatchObject({ externalRef: "lost pix" });
  expect(stderr).toContain("The 1 oldest of 2105 orders");
});

test("a .env that is a folder is named", async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, ".env"));

  expect((await runCli(["orders", "list"], { cwd })).stderr).toContain("Cannot read");
});

test("resolve --json prints the result alone to stdout, and the order to stderr", async () => {
  const { resolve } = await createShop();

  const run = await resolve("lost pix", "--attempt 1 --not-charged --yes --early --json");

  expect(JSON.parse(run.stdout)).toMatchObject({ externalRef: "lost pix", state: "free" });
  expect(run.stderr).toContain("To record: attempt 1 charged no one");
});

test.each([
  "postgres://user:hunter%2F2@127.0.0.1:1/db",
  "postgres://user:hunter/2@127.0.0.1:1/db", // must be escaped in a URL
  "redis://:hunter2@127.0.0.1:1",
  "postgres://127.0.0.1:1/db?user=a&password=hunter2",
  "mysql://user:hunter2@127.0.0.1:1/db",
  "redis+tls://:hunter2@127.0.0.1:1",
  '"postgres://user:hunter2@127.0.0.1:1/db"', // docker --env-file keeps quotes
  "postgres:user:hunter2@127.0.0.1",
  "host=127.0.0.1 password=hunter2",
])("the password of %s is never printed", async (location) => {
  const { exitCode, stdout, stderr } = await runCli(["orders", "list", "--store", location]);

  expect(exitCode).toBe(1);
  expect(`${stdout}${stderr}`).not.toContain("hunter");
});

test("a password is redacted from the error of a driver, as it is in the URL and decoded", () => {
  const message = "cannot use hunter%2F2, hunter/2";

  expect(redactSecrets(message, "redis://:hunter%2F2@host")).toBe("cannot use [redacted], [redacted]");
});

test.each([
  ["90s", 90_000, "1m"],
  ["2h", 7_200_000, "2h"],
  ["3d", 259_200_000, "3d"],
  ["0s", 0, "0s"],
])("the duration %s is %s milliseconds, printed as %s; others are refused", (text, ms, age) => {
  expect(parseDuration(text)).toBe(ms);
  expect(formatDuration(ms)).toBe(age);
  for (const wrong of [`-${text}`, `.5${text}`, "m", ""])
    expect(() => parseDuration(wrong)).toThrow("such as 15m");
});
