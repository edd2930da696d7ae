// The packed package on every runtime, bundler, compiler and test runner: npm run matrix [-- names... --json --strict]
import { parseArgs } from "node:util";
import { closingOf, rowLines } from "../test/runtime/matrix/report.ts";
import { runRows } from "../test/runtime/matrix/run-rows.ts";
import { Workshop } from "../test/runtime/matrix/workshop.ts";
import { ROWS } from "../test/runtime/rows/rows.ts";
import { exactly, VERSIONS } from "../test/runtime/versions.ts";

const names = ROWS.map(
  ({ name, group, label, version }) => `  ${name.padEnd(18)} ${label} ${version} (${group})`,
);
const HELP = `npm run matrix [-- <names or groups>] [--json] [--strict]

Packs the package, installs it in a folder of its own and tries it on each of:

${names.join("\n")}

A row is ok, FAIL, or missing where it cannot be had on this machine. The exit code is 1 where a row fails.

  --json    all results as JSON instead of lines
  --strict  what is missing fails, too
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, strict: { type: "boolean" }, help: { type: "boolean" } },
});
const unknown = positionals.filter(
  (asked) => !ROWS.some(({ name, group }) => name === asked || group === asked),
);
if (values.help === true) console.log(HELP);
else if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}.\n\n${HELP}`);
  process.exitCode = 1;
} else await run();

async function run(): Promise<void> {
  const isAsked = (name: string) => positionals.length === 0 || positionals.includes(name);
  const rows = ROWS.filter(({ name, group }) => isAsked(name) || isAsked(group));
  const workshop = new Workshop([
    exactly("msw", VERSIONS.msw),
    exactly("@types/node", VERSIONS["@types/node"]),
  ]);
  process.once("exit", () => workshop.remove());
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // not without tidying up
  const print = values.json === true ? () => {} : console.log;
  const results = await runRows(rows, workshop, (result) => print(rowLines(result)));
  const { text, exitCode } = closingOf(results, values.strict === true);
  console.log(values.json === true ? JSON.stringify(results, null, 2) : `\n${text}`);
  process.exit(exitCode); // whatever a row that was stopped has left behind
}
