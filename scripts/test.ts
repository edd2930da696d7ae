// npm test: what a change to src can break: types, lint, layers and the quick tests.
// npm run test:all: also the slow tests of what is shipped, the other checks, and coverage.
// With arguments, both run vitest alone with these: npm test -- --project unit test/core
//
// The last line is `N passed, N failed`. A check counts as one test, and so does a run that breaks off.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { missingRedis } from "../test/support/redis-server.ts";

const SUITES = {
  quick: {
    checks: ["build:js", "typecheck", "lint", "layers"],
    vitest: ["--project", "unit", "--project", "docs", "--project", "browser"],
  },
  all: {
    checks: ["build", "typecheck", "lint", "layers", "unused", "package", "size"],
    vitest: ["--coverage"],
  },
};

const [suite, ...args] = process.argv.slice(2);
const { checks, vitest } = SUITES[suite === "all" ? "all" : "quick"];
let passed = 0;
let failed = 0;

for (const check of args.length === 0 ? checks : []) {
  console.log(`\n> ${check}`);
  if (run("npm", ["run", "--silent", check])) passed += 1;
  else failed += 1;
}

console.log("\n> tests");
const report = "reports/tests.json";
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
rmSync(report, { force: true });
if (args.length === 0) process.env["PAYMENTS_SDK_BUILT"] = "1";
const isGreen = run("vitest", ["run", ...reporters, ...(args.length === 0 ? vitest : args)]);
const tests = readReport();
passed += tests.numPassedTests;
// A file that does not load, an unhandled error and too little coverage are no failed tests.
if (!isGreen) failed += Math.max(tests.numFailedTests, 1);

if (tests.numPendingTests > 0)
  console.log(`\n${tests.numPendingTests} SKIPPED: ${missingRedis ?? "see above"}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function run(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    timeout: 20 * 60_000, // a test that never yields cannot be ended by vitest's own time limits
    killSignal: "SIGKILL",
  });
  if (error) console.error(error.message);
  return status === 0;
}

/** Without a report, vitest did not get to its end. */
function readReport(): { numPassedTests: number; numFailedTests: number; numPendingTests: number } {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
  }
}
