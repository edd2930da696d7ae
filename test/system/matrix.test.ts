import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finish } from "../runtime/matrix/finish.ts";
import { inPage } from "../runtime/matrix/page.ts";
import { reportOf } from "../runtime/matrix/read-report.ts";
import { closingOf, rowLines } from "../runtime/matrix/report.ts";
import { Missing, type Row } from "../runtime/matrix/row.ts";
import { type RowResult, runRows } from "../runtime/matrix/run-rows.ts";
import { smokeInProcess } from "../runtime/matrix/smoke-runs.ts";
import { startOf } from "../runtime/matrix/start-of.ts";
import { Workshop } from "../runtime/matrix/workshop.ts";
import { smokeInPage } from "../runtime/rows/chromium.ts";
import { EXPECTED_ON_NODE } from "../runtime/rows/processes.ts";
import { REPORT_MARK } from "../runtime/smoke/setting.ts";
import { closedBaseUrl, json, startServer } from "../support/http-server.ts";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { root } from "../support/tool.ts";

let workshop: Workshop;

beforeAll(() => {
  workshop = new Workshop();
});
afterAll(() => workshop.remove());

const row = (verdict: string, run: Row["run"]): Row => ({
  name: verdict,
  group: "runtimes",
  label: verdict,
  version: "1.0.0",
  entries: [],
  run,
});

const OK = row("fine", async () => ["a word on it"]);
const FAILS = row("broken", async () => {
  throw new Error("it charged twice");
});
const MISSING = row("absent", async () => {
  throw new Missing("there is no network");
});

const ended = (rows: readonly Row[]): Promise<RowResult[]> => runRows(rows, workshop, () => undefined);

describe("the packed package", () => {
  test.each(["esm", "cjs"] as const)("passes the smoke test on this Node: %s", async (format) => {
    const runtime = { command: process.execPath, expected: EXPECTED_ON_NODE };

    const seen = await smokeInProcess(await workshop.consumer(), runtime, format);

    expect(seen).toEqual([
      "by fetch a refused connection is not_sent, a wrong certificate not_sent",
      "by nodeTransport a refused connection is not_sent, a wrong certificate not_sent",
    ]);
  });

  test("passes it in a page of Chromium", async () => {
    expect(await smokeInPage(workshop)).toMatch(/^\d+\.\d+/);
  });
});

describe("a runtime fails the smoke test", () => {
  const fetching = (sending: string) => `const own = fetch; globalThis.fetch = (...args) => ${sending};`;
  const AGAIN = fetching("own(...args).catch(() => own(...args))");
  const DENIES = fetching("own(...args).catch(() => new Response('{}', { status: 403 }))");
  const GULLIBLE = "crypto.subtle.verify = async () => true;";
  const ENDS_BADLY = 'process.on("exit", () => { process.exitCode = 3; });';

  test.each([
    ["repeats what failed", AGAIN, /the arrivals of 3 creates by fetch .* closed: 4 instead of 3/],
    ["calls refused what is in doubt", DENIES, /the outcome by fetch .*: rejected instead of unknown/],
    ["believes every signature", GULLIBLE, /a postback with an altered signature: 200 instead of 401/],
    ["ends with an exit code of its own", ENDS_BADLY, /^It ended with 3:\n/],
  ])("that %s", async (_what, preloaded, complaint) => {
    const preload = join(temporaryFolder(), "other.mjs");
    writeFileSync(preload, preloaded);
    const args = ["--import", preload];

    const runtime = { command: process.execPath, args, expected: EXPECTED_ON_NODE };
    const smoke = smokeInProcess(await workshop.consumer(), runtime, "esm");

    await expect(smoke).rejects.toThrow(complaint);
  });
});

describe("the verdict", () => {
  test("on a row says what became of it, and why", async () => {
    const results = await ended([OK, FAILS, MISSING]);

    expect(results.map(({ verdict, notes }) => [verdict, ...notes])).toEqual([
      ["ok", "a word on it"],
      ["FAIL", "it charged twice"],
      ["missing", "there is no network"],
    ]);
    expect(results.map(rowLines).join("\n")).toMatch(
      /^ok +fine 1\.0\.0 +\d\.\d s\n +a word on it\nFAIL +broken .*\n +it charged twice\nmissing +absent .*\n +there is no network$/,
    );
  });

  const INCOMPLETE = "The matrix is not complete: what is missing was not tested.";

  test.each<[string, readonly Row[], boolean, string, number]>([
    ["all is well", [OK, OK], false, "2 ok, 0 failed, 0 missing", 0],
    ["one fails", [OK, FAILS], false, "1 ok, 1 failed, 0 missing", 1],
    ["one is missing", [OK, MISSING], false, `1 ok, 0 failed, 1 missing\n${INCOMPLETE}`, 0],
    ["one is missing, strictly", [OK, MISSING], true, `1 ok, 0 failed, 1 missing\n${INCOMPLETE}`, 1],
    ["nothing was tried", [], false, "0 ok, 0 failed, 0 missing", 1],
  ])("on all: %s", async (_what, rows, strict, text, exitCode) => {
    const results = await ended(rows);

    expect(closingOf(results, strict)).toEqual({ text, exitCode });
  });
});

describe("what does not end within its time", () => {
  const REPORT = REPORT_MARK + JSON.stringify({ passed: [], failed: {}, seen: [] });
  const ENDLESS = `console.log(${JSON.stringify(REPORT)}); setInterval(() => {}, 1_000);`;
  const after2s = (tried: () => Promise<unknown>) =>
    runRows([row("endless", async () => [String(await tried())])], workshop, () => undefined, 2_000);

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "a process, though it reported before",
      async () => reportOf(await finish(process.execPath, ["-e", ENDLESS], root)),
      /stopped\.\nError: It ended with SIGKILL:/,
    ],
    [
      "a script in a page",
      () => inPage("", "http://127.0.0.1", (page) => page.evaluate("new Promise(() => {})")),
      /stopped\.\nError: /,
    ],
    ["what nothing ends", () => new Promise(() => undefined), /stopped\.$/],
  ])("is stopped, and failed: %s", async (_what, tried, lastWords) => {
    const [result] = await after2s(tried);

    expect(result?.verdict).toBe("FAIL");
    expect(result?.notes[0]).toMatch(/^It did not end within 2 s, and was stopped\./);
    expect(result?.notes[0]).toMatch(lastWords);
  });
});

describe("what cannot be had", () => {
  test.each([
    ["Bun", "bun@1.4.5", ["bun"], 0],
    ["npx payments-sandbox", "the package", ["npx"], 0], // whose dependencies have to come, too
    ["Bun", "bun@1.4.5", ["bun", "--strict"], 1],
  ])(
    "is missing, and not ok, where npm reaches no registry: %s, %s, by %j",
    async (label, what, args, code) => {
      const matrix = await matrixFrom(await closedBaseUrl(), args);

      expect(matrix.stdout).toMatch(
        new RegExp(`^missing +${label} .*\\n +npm cannot bring ${what}: .*ECONNREFUSED`),
      );
      expect(matrix.stdout).toContain("0 ok, 0 failed, 1 missing\nThe matrix is not complete");
      expect(matrix.code).toBe(code);
    },
  );

  test.each([
    ["package", "E404", json(404, {})],
    ["version", "ETARGET", json(200, { name: "bun", versions: { "1.0.0": {} } })],
  ])("is a failure where the registry has no such %s: %s", async (_what, code, reply) => {
    const { baseUrl } = await startServer(reply);

    const matrix = await matrixFrom(baseUrl, ["bun"]);

    expect(matrix.stdout).toMatch(new RegExp(`^FAIL +Bun .*\\n +npm cannot bring bun@1.4.5: code ${code}`));
    expect(matrix.code).toBe(1);
  });

  test("is missing where the system cannot start it", async () => {
    const nowhere = join(temporaryFolder(), "bun");

    await expect(startOf(nowhere, ["--version"], "1.4.5")).rejects.toThrow(Missing);
  });

  test("is a failure where it is of another version", async () => {
    const start = startOf(process.execPath, ["--version"], "99.0.0");

    await expect(start).rejects.toThrow(/It should be 99\.0\.0, and says v\d+/);
    await expect(start).rejects.not.toThrow(Missing);
  });
});

/** The matrix with a registry of the test's own, and nothing kept from before. */
async function matrixFrom(
  registry: string,
  args: readonly string[],
): Promise<{ code: unknown; stdout: string }> {
  const env = [
    `npm_config_registry=${registry}`,
    `npm_config_cache=${temporaryFolder()}`,
    "npm_config_fetch_retries=0",
  ];
  const running = run("env", [...env, "node", join(root, "scripts/matrix.ts"), ...args]);
  const code = await running.ended;
  return { code, stdout: running.stdout() };
}
