import { inRounds, patienceBy, type Run, ratioOf, ratioText } from "../rounds/rounds.ts";
import { isHere, type Program, wholeProcess } from "../rounds/whole-process.ts";
import type { Measurement, Section } from "../support/measurement.ts";
import { median } from "../support/statistics.ts";

const OURS = "payments-sdk";
const PATIENCE = {
  full: { rounds: 15, warmUp: 1 },
  quick: { rounds: 1, warmUp: 0 },
};

const ours = (name: string): Program => load(name, "ours");
const peer = (name: string): Program => load(name, "peers");

const PROGRAMS: readonly Program[] = [
  { name: "node -e 0", args: ["--eval", "0"], among: "ours" },
  { name: "Request, touched once", args: ["--eval", "Request"], among: "ours" },
  ours(OURS),
  ours("payments-sdk/postbacks"),
  ours("payments-sdk/idempotency"),
  ours("payments-sdk/node"),
  ours("ky"),
  ours("zod/mini"),
  ours("jose/jwt/decode"),
  peer("stripe"),
  peer("mercadopago"),
  peer("openai"),
  peer("@anthropic-ai/sdk"),
  peer("@paddle/paddle-node-sdk"),
  peer("square"),
  peer("@adyen/api-library"),
];

export const measurement: Measurement = {
  name: "start-up",
  run: async (effort, choice) => {
    const patience = patienceBy(PATIENCE[effort], choice);
    const programs = PROGRAMS.filter(
      (program) => isHere(program) && (effort === "full" || program.among === "ours"),
    );
    const runs = await inRounds(
      programs.map((program) => ({ name: program.name, measure: () => wholeProcess(program) })),
      patience,
    );
    return sectionOf(runs, patience.rounds);
  },
};

function load(name: string, among: Program["among"]): Program {
  const args = ["--input-type=module", "--eval", `import ${JSON.stringify(name)}`];
  return { name, args, among, needs: name };
}

function sectionOf(runs: readonly Run[], rounds: number): Section {
  return {
    title: "Start-up",
    text: [
      `${rounds} rounds, each contender once in each, in an order of chance. Whole processes, from their start to their`,
      "end: each does nothing but import the package from its files on the disk, which its cache holds. The ratio is to",
      "`node -e 0` in the same round. `Request` is what it costs to let Node load its fetch, which some packages do when",
      "they are imported and others at the first call: see the first answer.",
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: ["import of", "ms, median", "ratio, median (least to most)"],
        rows: runs.map(({ name, figures, ratios }) => [name, median(figures).toFixed(1), ratioText(ratios)]),
      },
    ],
    aims: [
      {
        what: `Start-up of \`import "${OURS}"\`, beside node -e 0`,
        unit: "times",
        limit: 3,
        found: ratioOf(runs, OURS),
      },
    ],
  };
}
