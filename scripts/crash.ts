// Crashes at every moment, and nobody is charged twice: npm run crash [-- --store sqlite --orders 300 --seed 1]
//
// For each store 300 orders and three processes an order, each killed, on a service that drops three connections in
// ten; then postbacks, a person, and every order once more. At the end the same without a store, to compare.
import { parseArgs } from "node:util";
import { missingRedis } from "../test/support/redis-server.ts";
import { type CrashFigures, crashWithoutStore, crashWithStore } from "../test/system/crash/crash-run.ts";
import { blockOf, missingIn } from "../test/system/crash/figures.ts";
import { DATABASE_KINDS, type DatabaseKind } from "../test/system/crash/start-database.ts";

const { values } = parseArgs({
  options: { store: { type: "string" }, orders: { type: "string" }, seed: { type: "string" } },
});
const seed = numberOf(values.seed) ?? Math.floor(Math.random() * 2 ** 32);
const count = numberOf(values.orders) ?? 300;
const kinds = values.store === undefined ? DATABASE_KINDS : [kindOf(values.store)];

const wrong: string[] = [];
for (const kind of kinds) {
  if (kind === "redis" && missingRedis !== undefined) {
    if (values.store !== undefined) wrong.push(`Redis was asked for, and ${missingRedis}`);
    continue; // which has been told
  }
  const figures = await shown(`on ${kind}`, crashWithStore(kind, { seed, count }));
  wrong.push(...figures.wrong, ...figures.chargedTwice.map((reference) => `${reference} was charged twice`));
  wrong.push(...missingIn(figures).map((name) => `no kill and no drop ${name}: run more orders`));
  if (figures.settled.unresolved > 0) wrong.push(`${figures.settled.unresolved} orders are still unresolved`);
}
const { chargedTwice } = await shown("without a store", crashWithoutStore({ seed, count }));
if (chargedTwice.length === 0)
  wrong.push("without a store nobody was charged twice, either: run more orders");
for (const complaint of wrong) console.error(`WRONG: ${complaint}`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function shown<Figures extends CrashFigures>(
  title: string,
  figures: Promise<Figures>,
): Promise<Figures> {
  const start = performance.now();
  const came = await figures;
  console.log(blockOf(title, { seed, count }, came, (performance.now() - start) / 1000));
  return came;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new TypeError(`Not a whole number above zero: ${text}`);
  return Number(text);
}

function kindOf(text: string): DatabaseKind {
  const kind = DATABASE_KINDS.find((known) => known === text);
  if (kind === undefined) throw new TypeError(`--store must be one of ${DATABASE_KINDS.join(", ")}.`);
  return kind;
}
