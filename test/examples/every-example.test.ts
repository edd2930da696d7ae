import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, test } from "vitest";
import { PUBLIC, SECRET, tracesIn } from "../support/canaries.ts";
import { root } from "../support/tool.ts";
import { ROWS } from "./support/rows.ts";
import { envOf, jsonLines, runExample, startExample } from "./support/run-example.ts";

const NAMES = [...ROWS.map(({ name }) => name), "checkout"];

/** Columns of a terminal. What is copied from it stays on one line. */
const isTooLong = (line: string) => line.length > 80 && !line.startsWith("000201");

test("every file of examples is in the tables of this test", () => {
  const files = readdirSync(join(root, "examples")).filter((file) => file.endsWith(".ts"));

  expect(NAMES.map((name) => `${name}.ts`).sort()).toEqual(files.sort());
});

test("the table of examples/README.md has a row for each, with a line that runs it", () => {
  const page = readFileSync(join(root, "examples/README.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z]+)` \|.+\| `npm (start|run example ([a-z]+).*)` \|$/gm)];

  expect(rows.map(([, name]) => name).sort()).toEqual([...NAMES].sort());
  expect(rows.filter(([, name, line, ran]) => line !== "start" && ran !== name)).toEqual([]);
});

describe.concurrent("on a sandbox of its own", () => {
  test.each(ROWS)(
    "$name shows what it is for, in 80 columns and without colours",
    async ({ name, prints }) => {
      const { code, stdout, stderr } = await runExample(name);

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(prints);
      expect(stdout.split("\n").filter(isTooLong)).toEqual([]);
      expect(stdout).not.toContain("\u001b");
    },
  );

  test.each(ROWS)("$name --json prints a value a line, and nothing else", async ({ name, lines }) => {
    const { code, stdout, stderr } = await runExample(name, ["--json"]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(jsonLines(stdout)).toMatchObject(lines);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("pbsig");
  });

  test("checkout --json prints where the shop is, and ends with Ctrl-C", async () => {
    const shop = startExample("checkout", ["--json", "--port", "0"]);
    try {
      const [line] = await shop.printed(/^.+\n/);
      const { shop: page, dashboard } = JSON.parse(line) as { shop: string; dashboard: string };

      const answers = await Promise.all([fetch(page), fetch(dashboard)]);
      shop.signal("SIGINT");

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await shop.ended).toBe(0);
      expect([shop.stdout(), shop.stderr()]).toEqual([line, ""]);
    } finally {
      shop.kill();
    }
  });
});

describe.concurrent("flags", () => {
  test.each(NAMES)("%s --help says what it does and how it is called, in 80 columns", async (name) => {
    const { code, stdout, stderr } = await runExample(name, ["--help"]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^[A-Z].+\\n(?:.+\\n)?\\nUsage: npm run example ${name} -- `));
    expect(stdout).toMatch(/\n {2}--json +prints JSON/);
    expect(stdout.split("\n").filter(isTooLong)).toEqual([]);
  });

  test.each(NAMES)("%s says in a line that there is no such flag, and where to read more", async (name) => {
    const { code, stdout, stderr } = await runExample(name, ["--colour", "--4539148803436467"]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`--colour is no flag. Usage: npm run example ${name} -- --help\n`);
  });
});

const POSTBACKS = ["--postback-url", "https://shop.example.com/postbacks"];
const SIGNING = { PAYMENTS_POSTBACK_SECRET: "a secret of the tests, which is long enough" };

/** Those that call the service of the environment, with what they need for that. */
const CALLERS: readonly (readonly [name: string, ...args: string[]])[] = [
  ["quickstart", "--yes", ...POSTBACKS],
  ["tokenize"],
  ["card", "--yes", ...POSTBACKS],
  ["pix", "--yes", ...POSTBACKS],
  ["company"],
  ["status"],
  ["sellers"],
  ["revenue"],
  ["reconcile", "--orders", "test/examples/support/orders.csv"],
];

describe.concurrent("with a service of the environment", () => {
  test.each(CALLERS)("%s runs, and prints no key and no signed address", async (name, ...args) => {
    const sandbox = await startSandbox({ secretKey: SECRET, publicKey: PUBLIC });
    try {
      const { code, stdout, stderr } = await runExample(name, args, {
        env: { ...envOf(sandbox), ...SIGNING },
      });

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`  Service      ${sandbox.baseUrl}\n`);
      expect(tracesIn(stdout)).toEqual([]);
      expect(stdout).not.toContain("pbsig");
    } finally {
      await sandbox.close();
    }
  });

  test.each(CALLERS)("%s says in a line that the service cannot be reached", async (name, ...args) => {
    const { baseUrl, close } = await startSandbox();
    await close();
    const env = { ...envOf({ baseUrl, secretKey: SECRET, publicKey: PUBLIC }), ...SIGNING };

    const { code, stdout, stderr } = await runExample(name, args, { env });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^ConnectionError: .*refused.*\n$/i);
    expect(tracesIn(stdout + stderr)).toEqual([]);
  });

  test("a wrong key is told in a line, too", async () => {
    const sandbox = await startSandbox();
    try {
      const env = envOf({ ...sandbox, secretKey: SECRET, publicKey: PUBLIC });

      const { code, stdout, stderr } = await runExample("company", ["--json"], { env });

      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^AuthenticationError: .+\n$/);
      expect(tracesIn(stderr)).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});
