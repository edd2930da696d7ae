// How long a fresh process takes until it has the package: npm run bench:startup [-- <rounds>]
//
// Whole processes, from their start to their end, one after the other in turn (A B C A B C), so that a
// machine that slows down slows all of them. Medians, because a busy machine only ever adds time.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const BASELINE = "node -e 0";
const load = (name: string) => ["--input-type=module", "--eval", `import ${JSON.stringify(name)}`];
const contenders: Readonly<Record<string, readonly string[]>> = {
  [BASELINE]: ["--eval", "0"],
  "payments-sdk": load("payments-sdk"),
  stripe: load("stripe"),
};

const rounds = Math.max(21, Number(process.argv[2]) || 31);
const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));

for (let round = -2; round < rounds; round += 1) {
  for (const [name, args] of Object.entries(contenders)) {
    const took = startUp(args);
    if (round >= 0) times.get(name)?.push(took); // the first two only warm the disk's cache
  }
}

const baseline = median(times.get(BASELINE) ?? []);
console.log(`${rounds} rounds on Node ${process.versions.node}, milliseconds\n`);
console.log("| what           | median | fastest | ratio |\n|----------------|-------:|--------:|------:|");
for (const [name, own] of times) {
  const cells = [median(own).toFixed(1), Math.min(...own).toFixed(1), (median(own) / baseline).toFixed(2)];
  console.log(
    `| ${name.padEnd(14)} | ${cells[0]?.padStart(6)} | ${cells[1]?.padStart(7)} | ${cells[2]?.padStart(5)} |`,
  );
}

function startUp(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, ".."), // where both packages are found, ours by its own name
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
