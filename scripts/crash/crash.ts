// Kills processes at every moment, and checks that nobody is charged twice: npm run crash [-- --store sqlite --orders 300 --seed 1]
//
// For each store 300 orders and three processes per order, on a service that drops three connections in ten. At the end
// the same without a store, to compare.
import { parseArgs } from "node:util";
import { crashRun } from "./crash-run.ts";
import { DATABASE_KINDS, type DatabaseKind } from "./databases.ts";

const { values } = parseArgs({
  options: { store: { type: "string" }, orders: { type: "string" }, seed: { type: "string" } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const count = Number(values.orders ?? 300);
const kinds = values.store === undefined ? DATABASE_KINDS : [values.store as DatabaseKind];

for (const kind of [...kinds, undefined]) {
  const { text, chargedTwice, wrong } = await crashRun(kind, { seed, count });
  console.log(text);
  const twice = kind === undefined ? [] : chargedTwice.map((order) => `${order} was charged twice`);
  for (const complaint of [...wrong, ...twice]) {
    console.error(`WRONG: ${complaint}`);
    process.exitCode = 1;
  }
}
