// What it costs to import an entry of the package beside other SDKs, and to run the command: time, CPU and memory of a
// whole process.
// node bench/start-up.ts [--rounds 15]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import {
  arePeersInstalled,
  inRounds,
  medianOf,
  numberOption,
  PEERS,
  printTable,
  printTitle,
  ratioCell,
} from "./helpers.ts";

/** Written at the end of each program: what the process has used so far. */
const REPORT = `;
  const { user, system } = process.cpuUsage();
  const report = { cpu: (user + system) / 1000, memory: process.memoryUsage.rss() / 1e6 };
  process.getBuiltinModule("node:fs").writeSync(1, JSON.stringify(report));`;

interface Program {
  readonly args: readonly string[];
  /** The folder from which packages are resolved. */
  readonly cwd: string;
}

const programs: Record<string, Program> = {
  "node -e 0": evaluating("0"),
  "Node's fetch, loaded": evaluating("Request"),
  "payments-sdk": importing("payments-sdk"),
  "payments-sdk/postbacks": importing("payments-sdk/postbacks"),
  "payments-sdk/idempotency": importing("payments-sdk/idempotency"),
  "payments-sdk/node": importing("payments-sdk/node"),
  ky: importing("ky"),
  "zod/mini": importing("zod/mini"),
  "payments --help": running("payments.js", "--help"),
};
if (arePeersInstalled())
  for (const name of ["mercadopago", "stripe", "openai"]) programs[name] = importing(name, PEERS);

const rounds = numberOption("rounds", 15);
const results = await inRounds(Object.keys(programs), rounds, run);

printTitle("Start-up");
console.log(`${rounds} rounds. A whole process that imports the package and ends.\n`);
printTable(
  ["import of", "ms", "ratio to node -e 0", "ms of CPU", "resident MB"],
  Object.keys(programs).map((name) => [
    name,
    medianOf(results, name, "time").toFixed(1),
    ratioCell(results, name, "time"),
    reported(name, "cpu"),
    reported(name, "memory"),
  ]),
);

function run(name: string): Record<string, number> {
  const { args, cwd } = programs[name] as Program;
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return stdout.endsWith("}") ? { time, ...JSON.parse(stdout) } : { time };
}

/** What a program has reported; a command does not. */
function reported(name: string, key: string): string {
  const figure = medianOf(results, name, key);
  return Number.isNaN(figure) ? "-" : figure.toFixed(1);
}

function evaluating(code: string): Program {
  return { args: ["--eval", code + REPORT], cwd: import.meta.dirname };
}

/** A file of the build. It reports nothing. */
function running(file: string, ...args: readonly string[]): Program {
  return { args: [join("../dist", file), ...args], cwd: import.meta.dirname };
}

function importing(name: string, cwd = import.meta.dirname): Program {
  const code = `import ${JSON.stringify(name)}${REPORT}`;
  return { args: ["--input-type=module", "--eval", code], cwd };
}
