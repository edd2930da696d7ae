import { costTable } from "../support/calls/cost-table.ts";
import { createAims } from "../support/calls/create-aims.ts";
import { createText } from "../support/calls/create-text.ts";
import { type Round, timeRounds } from "../support/calls/time-rounds.ts";
import { BASELINE, contendersHere } from "../support/contenders.ts";
import type { Choice, Effort, Measurement, Table } from "../support/measurement.ts";
import { KINDS, type Kind } from "../support/orders.ts";
import { startServer } from "../support/start-server.ts";

const AT_A_TIME = [1, 16, 64];
const PATIENCE = {
  full: { rounds: { card: 5, pix8: 3, pix20: 3 }, warmUp: 500, settle: 200, slices: 1, count: 1_000 },
  quick: { rounds: { card: 1, pix8: 1, pix20: 1 }, warmUp: 4, settle: 4, slices: 1, count: 64 },
};

const ANSWERS = {
  card: "a card, answered by 1.2 kB",
  pix8: "a pix, answered with a picture of 8 kB",
  pix20: "a pix, answered with a picture of 20 kB",
};

/** What it costs to create a payment, beside everybody else. */
export const measurement: Measurement = {
  name: "create",
  run: async (effort, choice) => {
    await using server = await startServer();
    const only = choice?.only && [BASELINE, ...choice.only]; // of which all others are told as ratios
    const contenders = contendersHere(only, effort);
    const { rounds, ...patience } = PATIENCE[effort];
    const measured = new Map<Kind, Round[]>();
    const tables: Table[] = [];
    for (const kind of kindsOf(effort, choice)) {
      const plan = { contenders, kind, baseUrl: server.urls[kind], atATime: AT_A_TIME, ...patience };
      const timed = await timeRounds({ ...plan, rounds: choice?.patience?.rounds ?? rounds[kind] });
      measured.set(kind, timed);
      for (const { what, figure } of FIGURES) {
        const caption = `${what} of ${ANSWERS[kind]}; ${timed.length} rounds`;
        tables.push(costTable(timed, contenders, AT_A_TIME, { caption, figure }));
      }
    }
    return { title: "A create", text: createText(patience), tables, aims: createAims(measured, AT_A_TIME) };
  },
};

const kindsOf = (effort: Effort, choice: Choice | undefined): readonly Kind[] =>
  KINDS.filter((kind) => choice?.kinds?.includes(kind) ?? (effort === "full" || kind === "card"));

const FIGURES = [
  { what: "CPU", figure: "cpu" },
  { what: "Median latency", figure: "latency" },
  { what: "Latency that one call in a hundred exceeds", figure: "latency99" },
] as const;
