import { startChild } from "../children/child.ts";
import { measureOverHttp } from "../sandbox/over-http.ts";
import type { SandboxCost, SandboxPlan } from "../sandbox/plan.ts";
import type { Effort, Measurement, Table } from "../support/measurement.ts";

const IN_PROCESS = new URL("../sandbox/in-process.ts", import.meta.url);

const PLANS: Readonly<Record<Effort, SandboxPlan>> = {
  full: { sizes: [100, 20_000], warmUp: 3_000, creates: 300, rounds: 3, atATime: 16 },
  quick: { sizes: [4, 12], warmUp: 1, creates: 6, rounds: 1, atATime: 2 },
};

export const measurement: Measurement = {
  name: "sandbox",
  run: async (effort) => {
    const plan = PLANS[effort];
    const tables = [
      tableOf("startSandbox, over HTTP from another process", await measureOverHttp(plan)),
      tableOf("createGateway().fetch, in process", await measureInProcess(plan)),
    ];
    return { title: "The sandbox", text: textOf(plan), tables, aims: [] };
  },
};

async function measureInProcess(plan: SandboxPlan): Promise<readonly SandboxCost[]> {
  const child = await startChild<readonly SandboxCost[]>(IN_PROCESS, plan);
  await child.stop();
  return child.said;
}

function textOf({ warmUp, creates, rounds, atATime }: SandboxPlan): string {
  return [
    `${rounds} rounds of ${creates} creates, ${atATime} at a time, after the sandbox has been filled with nine cards to`,
    "each pix; what is measured adds to it. The answer to a pix holds a picture of its code, which is drawn for each. CPU is that of the sandbox's process",
    "alone over HTTP; in process, it holds the `Request` and `Response` objects that the caller makes, too. Medians of the",
    `rounds, after ${warmUp} creates in another gateway of the same process to warm up.`,
  ].join(" ");
}

function tableOf(caption: string, costs: readonly SandboxCost[]): Table {
  return {
    caption,
    columns: ["what", "after", "creates a second", "CPU a create, µs"],
    rows: costs.map(({ size, method, perSecond, cpu }) => [
      method,
      `${size} transactions`,
      perSecond.toFixed(0),
      cpu.toFixed(0),
    ]),
  };
}
