// Sells for hours while everything around the shop fails: npm run soak -- [--hours 1] [--store postgres] [--rate 200]
//   [--save figures.jsonl]
//
// Three shops share a store, and one of them is killed each minute. The service fails for 15 seconds of each minute, sends
// each postback twice, and writes down what it charged. Callbacks fail 5 % of the time. PostgreSQL or Redis is killed and
// started again every 15 minutes; with SQLite, all shops stop at once. Without --store, one store after the other.
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { printTable, printTitle } from "../../bench/helpers.ts";
import type { DatabaseKind } from "../crash/databases.ts";
import { MUST_BE_FLAT, type Sample, type SoakResult, soakRun } from "./soak-run.ts";

/** A figure that must be flat may be this much larger in the last quarter than in the second one. */
const MAX_GROWTH_PERCENT = 10;
/** In a shorter run, tables still grow in the second quarter: nothing is old enough to be deleted. */
const JUDGED_FROM_HOURS = 1;
/** Orders per second. With SQLite one process writes at a time, and each of its eight writes for an order waits for the disk. */
const RATES = { postgres: 200, redis: 200, sqlite: 50 };
const KINDS = ["postgres", "redis", "sqlite"] as const satisfies DatabaseKind[];

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "1" },
    rate: { type: "string" },
    store: { type: "string" },
    save: { type: "string" },
  },
});
const hours = Number(values.hours);
const kinds = KINDS.filter((kind) => values.store === undefined || values.store === kind);
if (!(hours > 0 && Number(values.rate ?? 1) > 0 && kinds.length > 0)) {
  console.error(`--hours and --rate are numbers above zero, and --store is ${KINDS.join(", ")}.`);
  process.exit(2);
}

printTitle("Soak");
console.log(`${hours} h for each store. The service sends two postbacks for each order.
Shop 1 uses fetch and shop 2 nodeTransport; shop 3 is killed each minute. Orders are kept for 10 minutes.
Times of create calls are without those in the service. A call is late if it began 50 ms after it should.
`);
for (const kind of kinds) await soak(kind);

async function soak(kind: (typeof KINDS)[number]): Promise<void> {
  const rate = Number(values.rate ?? RATES[kind]);
  console.log(`### ${kind}, ${rate} orders a second\n`);
  const result = await soakRun(kind, { hours, rate }, (sample) => {
    console.log(
      Object.entries(sample)
        .map(([name, figure]) => `${name} ${show(figure)}`)
        .join("; "),
    );
    save({ kind, sample });
  });
  save({ kind, result: { ...result, samples: undefined } });
  report(result);
}

function report({ samples, broken, counts, examples, outcomes }: SoakResult): void {
  console.log("");
  printCounts("must be 0", broken);
  const late = samples.reduce((sum, sample) => sum + (sample["late"] ?? 0), 0);
  printCounts("happened", { ...counts, "orders whose call began late": late });
  printCounts("results of calls, and events of the handler", outcomes);
  const growth = Object.keys(samples[0] ?? {}).map((name) => {
    const [before, after] = [meanOf(name, samples, 1), meanOf(name, samples, 3)];
    return { name, before, after, percent: 100 * (after / before - 1) };
  });
  const isLimited = (name: string) => MUST_BE_FLAT.some((flat) => flat === name);
  printTable(
    ["mean", "second quarter", "last quarter", "growth, %", "limit, %"],
    growth.map(({ name, before, after, percent }) => [
      ...[name, show(before), show(after), show(percent)],
      isLimited(name) ? String(MAX_GROWTH_PERCENT) : "",
    ]),
  );
  const isJudged = hours >= JUDGED_FROM_HOURS;
  if (!isJudged) console.log(`Growth is not judged in runs of less than ${JUDGED_FROM_HOURS} h.\n`);
  for (const example of examples) console.error(`WRONG: ${example}`);
  const hasGrown = growth.some(({ name, percent }) => isLimited(name) && !(percent <= MAX_GROWTH_PERCENT));
  const isBroken = Object.values(broken).some((count) => count !== 0) || counts["shipped"] === 0;
  if (isBroken || (isJudged && hasGrown)) process.exitCode = 1;
}

/** One line for each sample, so that a run that is killed leaves its figures. */
function save(line: object): void {
  if (values.save !== undefined) appendFileSync(values.save, `${JSON.stringify(line)}\n`);
}

/** The mean of a figure in a quarter of the run, counted from 0. A sample may lack it. */
function meanOf(name: string, samples: readonly Sample[], quarter: number): number {
  const [from, until] = [quarter, quarter + 1].map((end) => Math.round((end * samples.length) / 4));
  const figures = samples.slice(from, until).map((sample) => sample[name] ?? Number.NaN);
  const measured = figures.filter((figure) => !Number.isNaN(figure));
  return measured.reduce((sum, figure) => sum + figure, 0) / measured.length;
}

function printCounts(title: string, counts: Readonly<Record<string, number>>): void {
  printTable(
    [title, ""],
    Object.entries(counts).map(([name, count]) => [name, String(count)]),
  );
}

function show(figure: number): string {
  if (Number.isNaN(figure)) return "none";
  return Number.isInteger(figure) ? String(figure) : figure.toFixed(figure < 10 ? 2 : 1);
}
