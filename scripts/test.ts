// npm test: what a change to src can break: types, lint, layers and the quick tests.
// npm run test:rest: what `npm test` leaves out, with its build: the slow tests and the other checks.
// npm run test:all: both, and coverage.
// With arguments, they run vitest alone with these: npm test -- --project unit test/http
//
// The last line is `N passed, N failed`. A check counts as one test, and so does a file that does not load or a run
// that does not finish.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { missingMariadb } from "../test/support/mariadb-server.ts";
import { missingRedis } from "../test/support/redis-server.ts";
import { missingEngines } from "../test/system/support/installed-engines.ts";
import { missingNginx } from "../test/system/support/installed-nginx.ts";

const QUICK = ["typecheck", "lint", "layers"];
const SLOW = ["unused", "package", "size", "openapi"];
const SUITES = {
  quick: {
    build: "build",
    checks: QUICK,
    vitest: ["--project", "unit", "--project", "docs", "--project", "browser"],
  },
  rest: { build: undefined, checks: SLOW, vitest: ["--project", "system"] },
  all: { build: "build", checks: [...QUICK, ...SLOW], vitest: ["--coverage"] },
};
const REPORT = "reports/tests.json";
const LIMIT_MINUTES = 15; // vitest's own time limits cannot end a test that never yields

interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const [name = "quick", ...args] = process.argv.slice(2);
const suite = SUITES[name as keyof typeof SUITES];
const isWhole = args.length === 0;
let passed = 0;
let failed = 0;

if (isWhole) {
  if (suite.build !== undefined) await check("npm", "run", "--silent", suite.build);
  // Most of them use one core.
  await Promise.all(suite.checks.map((script) => check("npm", "run", "--silent", script)));
}

console.log("\n> tests");
rmSync(REPORT, { force: true });
if (isWhole) process.env["PAYMENTS_SDK_BUILT"] = "1";
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
const isGreen = await run("vitest", ["run", ...reporters, ...(isWhole ? suite.vitest : args)]);
const report = readReport();
const failures = report?.testResults.map(failuresIn).reduce((sum, count) => sum + count, 0) ?? 0;
passed += report?.numPassedTests ?? 0;
// An unhandled error and too little coverage are not in the report.
failed += failures === 0 && !(isGreen && report !== undefined) ? 1 : failures;

if (isWhole && report !== undefined && report.numPendingTests > 0) {
  const missing = [missingRedis, missingMariadb, missingNginx, ...Object.values(missingEngines)];
  const reasons = missing.filter((reason) => reason !== undefined);
  console.log(`\n${report.numPendingTests} SKIPPED: ${reasons.join(", ") || "see above"}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function failuresIn({ status, assertionResults }: Report["testResults"][number]): number {
  const count = assertionResults.filter((test) => test.status === "failed").length;
  return count === 0 && status === "failed" ? 1 : count;
}

/** Runs a check, and shows its output when it has ended. */
async function check(command: string, ...args: readonly string[]): Promise<void> {
  const output: Buffer[] = [];
  const isPassed = await run(command, args, (data) => output.push(data));
  console.log(`\n> ${command} ${args.join(" ")}\n${Buffer.concat(output)}`);
  if (isPassed) passed += 1;
  else failed += 1;
}

/** `undefined` if vitest did not finish. */
function readReport(): Report | undefined {
  try {
    return JSON.parse(readFileSync(REPORT, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param onOutput - Takes the output, which is shown otherwise. */
async function run(
  command: string,
  args: readonly string[],
  onOutput?: (data: Buffer) => void,
): Promise<boolean> {
  const output = onOutput ? "pipe" : "inherit";
  // A process group of its own: nothing that it started outlives it.
  const child = spawn(command, args, { stdio: ["inherit", output, output], detached: true });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => onOutput?.(data));
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {} // all of it has ended
  };
  const limit = setTimeout(() => {
    console.error(`${command} did not finish in ${LIMIT_MINUTES} minutes.`);
    kill();
  }, LIMIT_MINUTES * 60_000);
  const interrupt = () => {
    kill();
    process.exit(130);
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    const [code] = await once(child, "close");
    return code === 0;
  } catch (error) {
    console.error(String(error));
    return false;
  } finally {
    clearTimeout(limit);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    kill();
  }
}
