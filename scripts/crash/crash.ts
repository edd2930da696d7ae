// Kills processes at every moment: npm run crash [-- --part charges --store sqlite --orders 300 --seed 1]
//
// charges: nobody is charged twice. For each store 300 orders and three processes per order, on a service that drops three
// connections in ten. At the end the same without a store, to compare.
// postbacks: what was paid is shipped. For each store 300 orders, of whose postback two copies are delivered at once, and
// three shops whose callback fails half of the time.
import { parseArgs } from "node:util";
import { crashRun } from "./crash-run.ts";
import { DATABASE_KINDS, type DatabaseKind } from "./databases.ts";
import { postbackRun } from "./postback-run.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string" },
    store: { type: "string" },
    orders: { type: "string" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const count = Number(values.orders ?? 300);
const kinds = values.store === undefined ? DATABASE_KINDS : [values.store as DatabaseKind];

function report(text: string, complaints: readonly string[]): void {
  console.log(text);
  for (const complaint of complaints) {
    console.error(`WRONG: ${complaint}`);
    process.exitCode = 1;
  }
}

if (values.part !== "postbacks") {
  for (const kind of [...kinds, undefined]) {
    const { text, chargedTwice, wrong } = await crashRun(kind, { seed, count });
    const twice = kind === undefined ? [] : chargedTwice.map((order) => `${order} was charged twice`);
    report(text, [...wrong, ...twice]);
  }
}
if (values.part !== "charges") {
  for (const kind of kinds) {
    const { text, lost, wrong } = await postbackRun(kind, { seed, count });
    report(text, [...wrong, ...lost.map((order) => `${order} was paid and not shipped`)]);
  }
}
