// npm test: types, lint, layers, and the tests of what a change to src can break. [-- <arguments of vitest>]
// npm run test:all: also the slow tests of what is shipped, and coverage.
//
// The last line is `N passed, N failed`. A check counts as one test, and so does anything that does not start.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { missingRedis } from "../test/support/redis-server.ts";

const [suite = "", ...args] = process.argv.slice(2);
const REPORT = `reports/${suite}.json`;
const CHECKS = ["build:js", "typecheck", "lint", "layers"];
const VITEST: Record<string, readonly string[]> = {
  quick: ["--project", "unit", "--project", "docs", "--project", "browser"],
  all: ["--coverage"],
};

let passed = 0;
let failed = 0;
const run = (command: string, ...with_: readonly string[]) =>
  spawnSync(command, with_, { stdio: "inherit", timeout: 20 * 60_000, killSignal: "SIGKILL" }).status === 0;

for (const check of args.length > 0 ? [] : CHECKS) {
  console.log(`\n> ${check}`);
  if (run("npm", "run", "--silent", check)) passed += 1;
  else failed += 1;
}

console.log("\n> tests");
rmSync(REPORT, { force: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
const isGreen = run("vitest", "run", ...reporters, ...(VITEST[suite] ?? []), ...args);
const counted = readReport();
passed += counted.numPassedTests;
// A file that cannot be loaded, an unhandled error or too little coverage is not a failed test.
failed += isGreen ? 0 : Math.max(counted.numFailedTests, 1);
if (counted.numPendingTests > 0) {
  console.log(`\n${counted.numPendingTests} SKIPPED${missingRedis === undefined ? "" : `: ${missingRedis}`}`);
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function readReport(): { numPassedTests: number; numFailedTests: number; numPendingTests: number } {
  try {
    return JSON.parse(readFileSync(REPORT, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
  }
}
