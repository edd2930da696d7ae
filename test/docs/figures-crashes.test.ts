import { DROPS, MOMENTS, ordersOf } from "../system/crash/plan.ts";
import { tableOf } from "./support/documented-tables.ts";
import { testClaims, textOf } from "./support/figures.ts";

const ORDERS_OF_DEFAULT = /numberOf\(values\.orders\) \?\? (\d+)/;

const ordersOfCrash = () => Number(ORDERS_OF_DEFAULT.exec(textOf("scripts/crash.ts"))?.[1]);
const processesAnOrder = () => ordersOf(1, 1)[0]?.attempts.length ?? 0;

/** Many orders, but for the first, which are no matter of chance. */
const manyOrders = () => ordersOf(2026, 1_100).slice(100);

function shareOf<Item>(items: readonly Item[], has: (item: Item) => boolean): number {
  return items.filter(has).length / items.length;
}

const droppedInTen = () =>
  Math.round(
    10 *
      shareOf(
        manyOrders().flatMap(({ attempts }) => attempts),
        ({ drop }) => drop !== undefined,
      ),
  );
const lostPostbacks = () => Math.round(1 / shareOf(manyOrders(), ({ isPostbackLost }) => isPostbackLost));

const measured = () => tableOf("timeouts.md", "Measured").map((row) => row.join(" | "));

/** Orders that were charged twice without a store, as docs/timeouts.md tells; to the nearest hundred. */
function chargedTwice(): number {
  const [, times = ""] = tableOf("timeouts.md", "Measured").at(-1) ?? [];
  return Math.round(Number.parseInt(times, 10) / 100) * 100;
}

testClaims([
  [
    "README.md",
    "`npm run crash` kills three processes an order in the middle of their creates: of 300 orders on each store nobody is charged twice",
    [3, 300],
    () => [processesAnOrder(), ordersOfCrash()],
  ],
  ["README.md", "without a store, about a hundred are.", 100, chargedTwice],
  [
    "README.pt-BR.md",
    "mata três processos por pedido no meio da criação: de 300 pedidos em cada *store*, ninguém é cobrado duas vezes",
    [3, 300],
    () => [processesAnOrder(), ordersOfCrash()],
  ],
  ["README.pt-BR.md", "sem *store*, cerca de cem são.", 100, chargedTwice],
  [
    "CHANGELOG.md",
    "`npm run crash` kills 900 processes a store in the middle",
    900,
    () => processesAnOrder() * ordersOfCrash(),
  ],
  [
    "docs/timeouts.md",
    "on each store 300 orders, and three processes an order.",
    [300, 3],
    () => [ordersOfCrash(), processesAnOrder()],
  ],
  [
    "docs/timeouts.md",
    "before its claim, during it, between claim and send, during the send, before the record, during it, or at its end.",
    [
      ...["before the claim", "during the claim", "between claim and send", "during the send"],
      ...["before the record", "during the record", "at its end"],
    ],
    () => MOMENTS,
  ],
  ["docs/timeouts.md", "The service drops three connections in ten:", 3, droppedInTen],
  [
    "docs/timeouts.md",
    "before it took the request, after it, or in the middle of its answer.",
    ["before it was taken", "after it was taken", "in the middle of the answer"],
    () => DROPS,
  ],
  ["docs/timeouts.md", "One postback in four is lost.", 4, lostPostbacks],
  [
    "docs/timeouts.md",
    "| | charged twice | not known after the crashes | after the postbacks | after a person looked |",
    // As the run printed it.
    [
      "SQLite | 0 | 239 of 300 | 143 | 0",
      "Redis, appendfsync always | 0 | 223 of 300 | 141 | 0",
      "PostgreSQL | 0 | 225 of 300 | 135 | 0",
      "without a store, sent anew | 109 of 300 |  |  | ",
    ],
    measured,
  ],
]);
