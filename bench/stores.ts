// What the store in PostgreSQL costs beside a hand-written table, when it is small and when it is full.
// node bench/stores.ts [--rows 1000,1000000] [--rounds 5] [--calls 200]
import { parseArgs } from "node:util";
import { numberOption, printTable, printTitle } from "./helpers.ts";
import { measurePostgres } from "./stores-postgres.ts";

const rowsOption = { rows: { type: "string", default: "1000,1000000" } } as const;
const { rows: counts } = parseArgs({ strict: false, options: rowsOption }).values;
const sizes = String(counts).split(",").map(Number);
const rounds = numberOption("rounds", 5);
const calls = numberOption("calls", 200);
const start = performance.now();
const log = (step: string) => console.error(`${((performance.now() - start) / 1000).toFixed(0)} s: ${step}`);
const rows = await measurePostgres({ sizes, rounds, calls, log });

printTitle("The store in PostgreSQL");
console.log(`At ${sizes.join(" / ")} filled orders; medians of ${rounds} rounds of ${calls} orders.\n`);
printTable(
  ["", "goal", "measured", "with `commits`, `prepare`", "by hand"],
  rows.map(({ label, goal, store, withOptions, byHand }) => [label, goal, store, withOptions, byHand]),
);
