import { BASELINE, OURS, OURS_ON_NODE, programsAt } from "../first-answer/programs.ts";
import { inRounds, patienceBy, type Run, ratioOf, ratioText } from "../rounds/rounds.ts";
import { isHere, wholeProcess } from "../rounds/whole-process.ts";
import type { Aim, Measurement, Section } from "../support/measurement.ts";
import { startServer } from "../support/start-server.ts";
import { median } from "../support/statistics.ts";

const PATIENCE = {
  full: { rounds: 21, warmUp: 1 },
  quick: { rounds: 1, warmUp: 0 },
};

export const measurement: Measurement = {
  name: "first-answer",
  run: async (effort, choice) => {
    await using server = await startServer();
    const patience = patienceBy(PATIENCE[effort], choice);
    const programs = programsAt(server.urls.card).filter(
      (program) => isHere(program) && (effort === "full" || program.among === "ours"),
    );
    const runs = await inRounds(
      programs.map((program) => ({ name: program.name, measure: () => wholeProcess(program) })),
      patience,
    );
    return sectionOf(runs, patience.rounds);
  },
};

function sectionOf(runs: readonly Run[], rounds: number): Section {
  const aims = [OURS, OURS_ON_NODE].filter((ours) => runs.some(({ name }) => name === ours)).map(aimOf);
  return {
    title: "The first answer",
    text: [
      `${rounds} rounds, each contender once in each (${BASELINE} twice), in an order of chance. Whole processes: import`,
      "the package, create one card payment, answered by a local server in a process of its own with the same bytes for",
      "all, check the id, and end, which each does by itself. stripe encodes the request as a form; the others as JSON.",
      `Ours check the request and the answer, and nobody else does. The ratio is to ${BASELINE} in the same round.`,
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: ["contender", "ms, median", "ratio, median (least to most)"],
        rows: runs.map(({ name, figures, ratios }) => [name, median(figures).toFixed(1), ratioText(ratios)]),
      },
    ],
    aims,
  };

  function aimOf(name: string): Aim {
    const what = `Import and first answer of ${name}, beside ${BASELINE}`;
    return { what, unit: "times", limit: 1.4, found: ratioOf(runs, name) };
  }
}
