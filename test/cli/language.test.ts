import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aPix } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, startCli } from "./support/run-cli.ts";

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
    (piece) => known.includes(piece) && /[a-z]+ [a-z]+/.test(piece) && !piece.startsWith("$ npx"),
  );
}

async function startShop() {
  const { baseUrl, secretKey, publicKey, close } = await startSandbox({ seed: 1 });
  onTestFinished(close);
  await new PaymentsClient({ baseUrl, secretKey, publicKey }).transactions.createPix(aPix());
  return { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_PUBLIC_KEY: publicKey };
}

const PARSER_WORDS = /\b(Usage|Arguments|Options|Commands|choices|default): |\[(options|command)\]/;

/** A folder with the files of `reconcile`, and a store with an unresolved order. */
async function createFolder(): Promise<string> {
  const cwd = temporaryFolder();
  const orders = "order-1,1990,pending\norder-2,4990,\norder-3,890,\norder-4,100,refused\n";
  writeFileSync(join(cwd, "orders.csv"), `externalRef,amount,status\n${orders}order-5,1,approved\n`);
  const rows = "1,order-1,approved,1990\n2,order-1,approved,1990\n4,order-4,pending,100\n6,x,approved,7\n";
  writeFileSync(join(cwd, "transactions.csv"), `id,externalRef,status,amount\n${rows}`);
  const store = sqliteStore(join(cwd, "payments.db"));
  const lost = { externalRef: "order-3", amount: 890, paymentMethod: "pix", owner: "a process" } as const;
  await store.claim(lost, 60_000);
  await store.recordOutcome(lost, { outcome: "unknown" });
  store.close();
  return cwd;
}

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Execute = (flags: readonly string[], surroundings: Surroundings) => Promise<Run>;

const execute = (line: string): Execute => {
  return async (flags, surroundings) => runCli([...line.split(" "), ...flags], surroundings);
};

const runDoctor: Execute = async (flags, { cwd, env }) =>
  execute("doctor --store payments.db")(flags, { cwd, env: { ...(await startShop()), ...env } });

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
  ...[
    ...["sandbox --help", "doctor --help", "trigger --help", "reconcile --help"],
    "reconcile orders.csv transactions.csv --all --store payments.db",
    "doctor", // without settings
    "trigger pay latest --base-url http://127.0.0.1:9",
    "orders list", // without a store
    "orders list --store missing.db",
    "orders list --store mysql://localhost",
    "orders list --store payments.db --namespace other",
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
])("%s has the same exit code and JSON in Portuguese, and no sentence in English", async (_what, run) => {
  const cwd = await createFolder();
  const runNormalized = async (flags: readonly string[], env: Surroundings["env"]): Promise<Run> => {
    const text = JSON.stringify(await run(flags, { cwd, env }));
    return JSON.parse(text.replaceAll(/\b\d{4,5}\b|\d+(?= ms)/g, "0")); // ports and durations
  };
  const english = await runNormalized([], {});
  const portuguese = await runNormalized([], PORTUGUESE);
  expect(portuguese).toMatchObject({ exitCode: english.exitCode });
  expect(portuguese).not.toEqual(english);
  expect(listShared(english, portuguese)).toEqual([]);
  expect(portuguese.stdout).not.toMatch(PARSER_WORDS);
  expect(await runNormalized(["--lang", "pt"], {})).toEqual(portuguese);

  const json = await runNormalized(["--json"], {});
  expect(await runNormalized(["--json"], PORTUGUESE)).toEqual(json);
  expect(await runNormalized(["--json", "--lang", "pt"], {})).toEqual(json);
});
