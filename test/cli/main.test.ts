import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { onInterrupt } from "../../src/cli/run.ts";
import { runCli } from "./support/run-cli.ts";

test("without arguments it prints its help", async () => {
  const run = await runCli([]);

  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toMatch(/^Usage: payments .*\n/);
  expect(await runCli(["--help"])).toEqual(run);
});

/** The names of all commands, such as `orders list`, from their help. */
async function listCommands(path: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runCli([...path, "--help"]);
  const [, commands = ""] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
  const below = names.filter((name) => name !== "help").map((name) => listCommands([...path, name]));
  return [path.join(" "), ...(await Promise.all(below)).flat()];
}

test.each([
  [undefined, 100],
  [300, 100],
  [60, 60],
])("in a terminal of %s columns, every help page is at most %i wide", async (columns, max) => {
  const commands = await listCommands();
  const long: string[] = [];

  for (const command of commands) {
    let page = "";
    const stdout = { columns, write: (text: string) => (page += text) } as { write(text: string): string };
    await runCli([...command.split(" ").filter(Boolean), "--help"], { stdout });
    const lines = page.split("\n").filter((line) => max === 100 || !line.startsWith("  $ ")); // to be copied
    long.push(...lines.filter((line) => line.length > max));
  }

  expect(commands).toContain("postbacks deliver");
  expect(long).toEqual([]);
});

const invalid = (option: string) => `The value of ${option} is invalid.`;

test.each([
  ["", "--no-such-flag", "Unknown option '--no-such-flag'."],
  ["", "doctr", "Unknown command 'doctr'. Did you mean doctor?"],
  ["", "sk_live_a-b", "Unknown command 'sk_...'."],
  ["", "--token=sk_live_1", "Unknown option '--token'."], // the value may be a key
  ["doctor", "--store", "--store needs a value."],
  ["doctor", "sk_a-b", "Too many arguments: expected 0, got 1."],
  ["orders list", "--limit 0", `${invalid("--limit")} It must be a whole number, 1 or more.`],
  [
    "orders list",
    "--older-than 15",
    `${invalid("--older-than")} It must be a number and s, m, h or d, such as 15m.`,
  ],
  ["sandbox", "--prot 4010", "Unknown option '--prot'. Did you mean --port?"],
  ["sandbox", "--host=", "--host needs a value."],
  ["sandbox", "--port 0 --base-url https://a.example", "--base-url needs a fixed --port, not 0."],
  ["sandbox", "--port 0 --postback-retries -1", "--postback-retries must be a whole number from 0 to 100."],
])("payments %s %s fails with one line and a hint", async (command, rest, problem) => {
  const argv = `${command} ${rest}`.trim().split(" ");
  const message = `${problem} See ${`payments ${command}`.trim()} --help.`;

  expect(await runCli(argv)).toEqual({ exitCode: 1, stdout: "", stderr: `payments: ${message}\n` });

  const { exitCode, stdout, stderr } = await runCli([...argv, "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ error: { code: "usage", message } });
});

test("of too many arguments none is printed", async () => {
  const { stderr } = await runCli(["doctor", "one", "a\nhunter2"]);

  expect(stderr).toBe("payments: Too many arguments: expected 0, got 2. See payments doctor --help.\n");
});

test("without a store the failure names the option and the variable", async () => {
  expect((await runCli(["orders", "list"])).stderr).toContain("Pass --store, or set PAYMENTS_STORE");
});

test.each([
  ["once stops it", [0], 1, 0],
  ["with two signals from one key press stops it once", [0, 20], 1, 0],
  ["again while it is stopping ends it immediately", [0, 20, 2_000], 1, 1],
])("Ctrl-C %s", (_what, times, ends, endsNow) => {
  const signals = new EventEmitter() as unknown as NodeJS.Process;
  const [end, endNow] = [vi.fn(), vi.fn()];
  const now = vi.spyOn(Date, "now");
  onInterrupt(signals, end, endNow);

  for (const time of times) {
    now.mockReturnValue(1_000 + time);
    signals.emit("SIGINT", "SIGINT");
  }

  expect(end).toHaveBeenCalledTimes(ends);
  expect(endNow).toHaveBeenCalledTimes(endsNow);
});
