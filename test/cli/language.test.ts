import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PaymentsClient } from "payments-sdk";
import { type SqliteStore, sqliteStore } from "payments-sdk/idempotency";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aPix } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answerQuestions, runCli, startCli } from "./support/run-cli.ts";

const PORTUGUESE = { LANG: "pt_BR.UTF-8" };

test.each([
  [{}, [], "Usage:"],
  [PORTUGUESE, [], "Uso:"],
  [{ LANG: "pt_PT" }, [], "Uso:"],
  [{ LANG: "pt" }, [], "Uso:"],
  [{ LANG: "en_US.UTF-8" }, [], "Usage:"],
  [{ LANG: "C.UTF-8" }, [], "Usage:"],
  [{ LC_ALL: "en_US", LC_MESSAGES: "pt_BR", LANG: "pt_BR" }, [], "Usage:"],
  [{ LC_ALL: "pt_BR", LC_MESSAGES: "en_US", LANG: "en_US" }, [], "Uso:"],
  [{ LC_MESSAGES: "pt_BR", LANG: "en_US" }, [], "Uso:"],
  [{ LC_MESSAGES: "en_US", LANG: "pt_BR" }, [], "Usage:"],
  [{ LC_ALL: "", LC_MESSAGES: "", LANG: "pt_BR" }, [], "Uso:"], // empty: not set
  [{ LC_ALL: "en_US" }, ["--lang", "pt"], "Uso:"],
  [{ LC_ALL: "pt_BR" }, ["--lang=en"], "Usage:"],
])("with %j and %j the help begins with %s", async (env, flags, title) => {
  for (const argv of [
    [...flags, "orders", "list"],
    ["orders", ...flags, "list"],
    ["orders", "list", ...flags],
  ]) {
    const { exitCode, stdout } = await runCli([...argv, "--help"], { env });
    expect({ exitCode, title: stdout.split(" ", 1)[0] }).toEqual({ exitCode: 0, title });
  }
});

test("another language is a usage failure, in the language of the locale", async () => {
  const message = "O valor de --lang é inválido. Deve ser pt ou en. Veja payments --help.";

  expect(await runCli(["doctor", "--lang", "es"], { env: PORTUGUESE })).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `payments: ${message}\n`,
  });
});

/** The command lines of a command and all its subcommands, such as `orders list`. */
async function listCommands(path: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runCli([...path, "--help"]);
  const [, commands = ""] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
  const below = names.filter((name) => name !== "help").map((name) => listCommands([...path, name]));
  return [path.join(" "), ...(await Promise.all(below)).flat()];
}

test.each([
  ["en", undefined, 100],
  ["en", 300, 100],
  ["pt", 300, 100],
  ["en", 60, 60],
  ["pt", 60, 60],
])("in %s, with a terminal of %s columns, every help page is at most %i wide", async (lang, columns, max) => {
  const commands = await listCommands();
  const long: string[] = [];

  for (const command of commands) {
    let page = "";
    const stdout = { columns, write: (text: string) => (page += text) } as { write(text: string): string };
    await runCli([...command.split(" ").filter(Boolean), "--help", "--lang", lang], { stdout });
    const lines = page.split("\n").filter((line) => max === 100 || !line.startsWith("  $ ")); // to be copied
    long.push(...lines.filter((line) => line.length > max));
  }

  expect(commands).toContain("postbacks deliver");
  expect(long).toEqual([]);
});

type Run = Awaited<ReturnType<typeof runCli>>;

/** The texts of at least two words that are the same in both. */
function listShared(english: Run, portuguese: Run): string[] {
  const piecesOf = ({ stdout, stderr }: Run) => `${stdout}${stderr}`.split(/\n|\t| {2,}|(?<=\w\.) /);
  const known = piecesOf(portuguese);
  return piecesOf(english).filter(
    (piece) => known.includes(piece) && /[a-z]+ [a-z]+/.test(piece) && !/^(\$ )?npx /.test(piece),
  );
}

/** Words that no sentence in Portuguese has. */
const ENGLISH_WORDS = /(?<![-\w./])(the|is|are|of|and|to|with|not|was|your|it|this|when|must)(?![-\w/])/;

async function startShop() {
  const { baseUrl, secretKey, publicKey, close } = await startSandbox({ seed: 1 });
  onTestFinished(close);
  await new PaymentsClient({ baseUrl, secretKey, publicKey }).transactions.createPix(aPix());
  return { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_PUBLIC_KEY: publicKey };
}

/** Times, ports and durations. */
const VARYING = /\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d|\b\d{4,5}\b|\d+(?= ms)|(?<=Ms\\":)\d+|\b\d+(?=s\b)/g;

const PARSER_WORDS = /\b(Usage|Arguments|Options|Commands|choices|default): |\[(options|command)\]/;

const SECRET = "a secret of at least thirty-two bytes";

/** A folder with the files of `reconcile`, and a store with orders and postbacks in all states. */
async function createFolder(): Promise<string> {
  const cwd = temporaryFolder();
  const orders = "order-1,1990,pending\norder-2,4990,\norder-3,890,\norder-4,100,refused\n";
  writeFileSync(join(cwd, "orders.csv"), `externalRef,amount,status\n${orders}order-5,1,approved\n`);
  const rows = "1,order-1,approved,1990\n2,order-1,approved,1990\n4,order-4,pending,100\n6,x,approved,7\n";
  writeFileSync(join(cwd, "transactions.csv"), `id,externalRef,status,amount\n${rows}`);
  writeFileSync(join(cwd, "wrong.csv"), "externalRef,amount\norder-1,19.90\n");
  const store = sqliteStore(join(cwd, "payments.db"));
  await fillStore(store);
  store.close();
  const database = new DatabaseSync(join(cwd, "payments.db"));
  database.exec("UPDATE payments_orders SET changed_at = changed_at - 10000 * (20 - rowid)"); // one after the other
  database.close();
  return cwd;
}

async function fillStore(store: SqliteStore): Promise<void> {
  const claim = async (externalRef: string, terms: object = {}) => {
    const order = { externalRef, amount: 890, paymentMethod: "pix", owner: "a process", ...terms } as const;
    await store.claim(order, 60_000);
    return order;
  };
  const create = async (externalRef: string, id: number, status: "approved" | "pending", amount = 890) => {
    const transaction = { id, status, rawStatus: status, amount, paymentMethod: "pix" } as const;
    await store.recordOutcome(await claim(externalRef), {
      ...{ outcome: "created", transactionId: id, transaction },
    });
  };
  const lost = { outcome: "unknown" } as const;
  await store.recordOutcome(await claim("order-3"), lost);
  const card = { paymentMethod: "credit_card", installments: "3" };
  await store.recordOutcome(await claim("lost-card", card), lost);
  await claim("sending");
  await store.recordOutcome(await claim("free"), { outcome: "not_created" });
  await create("paid", 7, "approved");
  const approved = { status: "approved", rawStatus: "approved", amount: 890 } as const;
  await store.recordPostback("paid", { ...approved, id: 8 });
  await create("shared", 7, "approved");
  await create("lost-code", 9, "pending");
  await create("other-amount", 10, "approved", 100);
  await create("delivered", 11, "approved");
  await store.recordOutcome(await claim("reported"), { outcome: "created", transactionId: 12 });
  for (const [externalRef, id, isFailed] of [
    ["delivered", 11, true],
    ["delivered", 13, false],
    ["no-order", 14, true],
  ] as const) {
    const key = { trust: "signed", externalRef, id, rawStatus: "approved", amount: 890 } as const;
    await store.claimPostback(key, "a process", 60_000, { signedAmount: 890 });
    if (isFailed) await store.releasePostback(key, "a process", { name: "Error", retryAfterMs: 60_000 });
  }
}

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Execute = (flags: readonly string[], surroundings: Surroundings) => Promise<Run>;

const execute = (line: string): Execute => {
  return async (flags, surroundings) => runCli([...line.split(" "), ...flags], surroundings);
};

/** Without a store and a secret. */
const withoutSettings = (line: string): Execute => {
  const unset = { PAYMENTS_STORE: "", PAYMENTS_POSTBACK_SECRET: "" };
  return async (flags, { cwd, env }) => execute(line)(flags, { cwd, env: { ...env, ...unset } });
};

/** Answers each question in a terminal. */
const answer = (line: string): Execute => {
  return async (flags, surroundings) => {
    const { stdin, stderr } = answerQuestions("sim", "sim", "sim");
    let notes = "";
    const write = (text: string) => {
      notes += text;
      stderr.write(text);
    };
    const run = await runCli([...line.split(" "), ...flags], { ...surroundings, stdin, stderr: { write } });
    return { ...run, stderr: notes };
  };
};

/** Delivers to a handler that responds with this. */
const deliver = (line: string, response: object): Execute => {
  return async (flags, surroundings) => {
    const shop = await startServer(({ requestRead, response: sender }) =>
      requestRead.then(() => sender.end(JSON.stringify(response))),
    );
    return execute(`${line} ${shop.baseUrl}/`)(flags, surroundings);
  };
};

const runHelp: Execute = async (flags, surroundings) => {
  const pages = (await listCommands()).map(async (command) =>
    runCli([...command.split(" ").filter(Boolean), "--help", ...flags], surroundings),
  );
  const stdout = (await Promise.all(pages)).map((page) => page.stdout).join("");
  return { exitCode: 0, stdout, stderr: "" };
};

const runDoctor: Execute = async (flags, { cwd, env }) =>
  execute("doctor")(flags, { cwd, env: { ...(await startShop()), ...env } });

const runTrigger: Execute = async (flags, { cwd, env }) => {
  const shop = await startShop();
  await execute("trigger pay order-1")([], { cwd, env: shop });
  return execute("trigger refund order-1 --amount 500")(flags, { cwd, env: { ...shop, ...env } });
};

/** What a sandbox prints until Ctrl-C. */
const runSandbox: Execute = async (flags, surroundings) => {
  const run = startCli(["sandbox", "--port", "0", "--host=0.0.0.0", ...flags], surroundings);
  await expect.poll(run.stdout, { timeout: 5_000 }).toMatch(/Ctrl-C|\}\n/);
  run.interrupt();
  return { exitCode: await run.exitCode, stdout: run.stdout(), stderr: run.stderr() };
};

const runSecondSandbox: Execute = async (flags, surroundings) => {
  const { port } = new URL((await startServer()).baseUrl);
  return execute(`sandbox --port ${port}`)(flags, surroundings);
};

test.each<[what: string, run: Execute]>([
  ["doctor with settings", runDoctor],
  ["trigger refund", runTrigger],
  ["sandbox", runSandbox],
  ["sandbox with a port in use", runSecondSandbox],
  ["every help page", runHelp],
  ["doctor without settings", withoutSettings("doctor")],
  ["orders list without a store", withoutSettings("orders list")],
  [
    "deliver without a secret",
    withoutSettings("postbacks deliver delivered --to http://localhost --store payments.db"),
  ],
  ...[
    "orders resolve order-3 --attempt 1 --not-charged",
    "orders resolve order-3 --attempt 1 --transaction 7 --status approved --correct",
    "orders resolve paid --attempt 1 --transaction 15 --status approved --correct",
    "orders resolve lost-code --attempt 1 --transaction 16 --status pending --correct",
    "postbacks close delivered",
  ].map((line): [string, Execute] => [line, answer(line)]),
  ["deliver again", deliver("postbacks deliver delivered --to", { result: "duplicate" })],
  [
    "deliver after resolve",
    deliver("orders resolve order-3 --attempt 1 --transaction 15 --status approved --yes --deliver-to", {}),
  ],
  ...[
    ...[
      "order-3",
      "lost-card",
      "sending",
      "free",
      "paid",
      "shared",
      "lost-code",
      "other-amount",
      "delivered",
      "reported",
    ].map((reference) => `orders show ${reference}`),
    ...["no-order", "missing"].map((reference) => `orders show ${reference}`),
    "orders list --header",
    "orders list --limit 1",
    "orders list --older-than 15m",
    "orders resolve sending --attempt 1 --not-charged --yes",
    "orders resolve order-3 --attempt 1 --not-charged --yes",
    "orders resolve order-3 --attempt 1 --not-charged",
    "orders resolve order-3 --attempt 1",
    "orders resolve order-3 --attempt 2 --not-charged --yes",
    "orders resolve paid --attempt 1 --not-charged --yes",
    "orders resolve paid --attempt 1 --transaction 7 --status refused --yes",
    "orders resolve order-3 --attempt 1 --transaction 7 --status approved --yes",
    "orders resolve order-3 --attempt 1 --transaction 7 --status pending --deliver-to http://localhost",
    "postbacks list --header",
    "postbacks list --state failed",
    "postbacks deliver delivered --to http://127.0.0.1:1/",
    "postbacks deliver delivered --to http://shop.example",
    "postbacks deliver delivered --to http://localhost --id 13",
    "postbacks close free",
    "reconcile wrong.csv transactions.csv",
    "reconcile missing.csv transactions.csv",
    "reconcile transactions.csv orders.csv",
    "reconcile orders.csv orders.csv",
    "reconcile orders.csv transactions.csv --all",
    "trigger pay latest --base-url http://127.0.0.1:9",
    "orders list --store missing.db",
    "orders list --store oracle://localhost",
    "orders list --namespace other",
    // failures of the parser
    "sandbox --prot 1",
    "docter",
    "reconcile orders.csv",
    "orders resolve order-1",
    "sandbox --port",
    "sandbox --host=",
    "sandbox --port x",
    "trigger push order-1",
    "doctor now",
  ].map((line): [string, Execute] => [line, execute(line)]),
])("%s has the same exit code in Portuguese, and no sentence in English", async (_what, run) => {
  const english = await runNormalized(run, [], {});
  const portuguese = await runNormalized(run, [], PORTUGUESE);

  expect(portuguese).toMatchObject({ exitCode: english.exitCode });
  expect(portuguese).not.toEqual(english);
  expect(listShared(english, portuguese)).toEqual([]);
  expect(portuguese.stdout).not.toMatch(PARSER_WORDS);
  expect(`${portuguese.stdout}${portuguese.stderr}`).not.toMatch(ENGLISH_WORDS);
});

test.each([
  "orders show order-3",
  "orders resolve order-3 --attempt 1 --not-charged --yes --early",
  "orders list --store missing.db",
  "doctor",
  "reconcile orders.csv transactions.csv --all",
  "sandbox --port x",
])("%s --json prints the same in every language", async (line) => {
  const json = await runNormalized(execute(line), ["--json"], {});

  expect(await runNormalized(execute(line), ["--json"], PORTUGUESE)).toEqual(json);
  expect(await runNormalized(execute(line), ["--json", "--lang", "pt"], {})).toEqual(json);
});

async function runNormalized(run: Execute, flags: readonly string[], env: Surroundings["env"]): Promise<Run> {
  const cwd = await createFolder();
  const settings = { PAYMENTS_STORE: "payments.db", PAYMENTS_POSTBACK_SECRET: SECRET, NO_COLOR: "1", ...env };
  const text = JSON.stringify(await run(flags, { cwd, env: settings })).replaceAll(cwd, "/folder");
  return JSON.parse(text.replaceAll(VARYING, "0"));
}

test.each([
  ["y", 0],
  ["YES", 0],
  ["s", 0],
  ["Sim ", 0],
  ["n", 1],
  ["não", 1],
  ["sí", 1],
  ["", 1],
])("after the answer %j in either language, the exit code is %i", async (text, exitCode) => {
  for (const lang of ["en", "pt"]) {
    const cwd = await createFolder();
    const { stdin, stderr } = answerQuestions(text);
    const argv = ["postbacks", "close", "no-order", "--store", "payments.db", "--lang", lang];
    expect((await runCli(argv, { cwd, stdin, stderr })).exitCode).toBe(exitCode);
  }
});
