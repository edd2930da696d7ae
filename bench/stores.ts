// What the stores cost beside a hand-written table, when they are small and when they are full.
// node bench/stores.ts [--rows 1000,1000000] [--rounds 5] [--calls 200] [--seconds 24] [--only postgres,redis,sqlite]
import { parseArgs } from "node:util";
import { numberOption, printTable, printTitle } from "./helpers.ts";
import { measurePostgres } from "./stores-postgres.ts";
import { measureRedis } from "./stores-redis.ts";
import type { Row } from "./stores-shop.ts";
import { measureSqlite } from "./stores-sqlite.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    rows: { type: "string", default: "1000,1000000" },
    only: { type: "string", default: "postgres,redis,sqlite" },
  },
});
const sizes = String(values.rows).split(",").map(Number);
const start = performance.now();
const options = {
  sizes,
  rounds: numberOption("rounds", 5),
  calls: numberOption("calls", 200),
  seconds: numberOption("seconds", 24),
  log: (step: string) => console.error(`${((performance.now() - start) / 1000).toFixed(0)} s: ${step}`),
};
/** Redis and SQLite have fewer orders. */
const others = Math.ceil(0.3 * Math.max(...sizes));
const only = String(values.only).split(",");
const rows: Row[] = [];
if (only.includes("postgres")) rows.push(...(await measurePostgres(options)));
if (only.includes("redis")) rows.push(...(await measureRedis(options, others)));
if (only.includes("sqlite")) rows.push(...(await measureSqlite(options, others)));

printTitle("Stores");
console.log(
  `At ${sizes.join(" / ")} filled orders; medians of ${options.rounds} rounds of ${options.calls} orders.\n`,
);
printTable(
  ["", "goal", "measured", "with `commits`, `prepare`", "by hand"],
  rows.map(({ label, goal, store, withOptions = "", byHand = "" }) => [
    label,
    goal,
    store,
    withOptions,
    byHand,
  ]),
);
