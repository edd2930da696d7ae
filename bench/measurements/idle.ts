import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inFreshProcess } from "../children/fresh-process.ts";
import type { IdleCost, IdleTask } from "../support/calls/idle-process.ts";
import { BASELINE, contendersHere, OURS, OURS_ON_NODE } from "../support/contenders.ts";
import type { Measurement } from "../support/measurement.ts";
import { startServer } from "../support/start-server.ts";
import { median, shuffled, spreadOf } from "../support/statistics.ts";

const PROCESS = join(import.meta.dirname, "..", "support", "calls", "idle-process.ts");
const CONTENDERS = [BASELINE, "node:http", "ky", "ky with retry: 0", OURS, OURS_ON_NODE];
const PLAN = {
  full: { turns: 3, apartMs: 1_300, warmUp: 1_000, batches: [30, 30], first: 5, count: 10, idleMs: 25_000 },
  quick: { turns: 1, apartMs: 0, warmUp: 10, batches: [5, 5], first: 5, count: 10, idleMs: 100 },
} as const;
const LIMIT = 1.25;

/** What a create costs after a pause, beside the same client's creates before it. */
export const measurement: Measurement = {
  name: "idle",
  run: async (effort, choice) => {
    await using server = await startServer();
    const { turns, apartMs, ...plan } = PLAN[effort];
    const contenders = contendersHere(choice?.only ?? CONTENDERS);
    const costs = new Map(contenders.map(({ name }) => [name, [] as IdleCost[]]));
    const running: Promise<unknown>[] = [];
    // They pause at the same time but work apart from each other: all have begun before the first wakes up.
    for (const { name, file } of Array.from({ length: turns }, () => shuffled(contenders)).flat()) {
      const task: IdleTask = { file, kind: "card", baseUrl: server.urls.card, ...plan };
      const run = inFreshProcess<IdleTask, IdleCost>(PROCESS, task);
      running.push(run.then((cost) => costs.get(name)?.push(cost)));
      await sleep(apartMs);
    }
    await Promise.all(running);

    const cell = (own: readonly IdleCost[], cost: "after" | "first") => {
      const { median: middle, least, most } = spreadOf(own.map((each) => each[cost] / each.warm));
      return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
    };
    const [before, after, first] = [...plan.batches, plan.first].map((batches) => batches * plan.count);
    return {
      title: "A create after a pause",
      text: `Creates of a card, one at a time, in ${turns} fresh processes each: ${plan.warmUp} to warm up, ${before} counted, a pause of ${plan.idleMs / 1000} s, then ${after} more. They are counted in batches of ${plan.count}; the cost of a call is that of the middle batch, before and after. Ratios of CPU, each to the warm cost of the same process. The first ${first} after the pause are told apart: profiled, what they cost more is Node's own, whoever calls: code that it has let go of meanwhile and compiles again, a collection that it has put off, and connections that are opened again. A way through fetch that stays slow after a pause, as that of ky, shows in both columns.`,
      tables: [
        {
          caption: "",
          columns: ["contender", "warm, µs", "a call after the pause", `of the first ${first} alone`],
          rows: [...costs].map(([name, own]) => [
            name,
            median(own.map(({ warm }) => warm)).toFixed(0),
            cell(own, "after"),
            cell(own, "first"),
          ]),
        },
      ],
      aims: [OURS, OURS_ON_NODE].flatMap((name) => {
        const own = costs.get(name);
        if (!own) return [];
        const what = `CPU of a create after a pause, beside those before: ${name}`;
        return [
          { what, unit: "times", limit: LIMIT, found: median(own.map((cost) => cost.after / cost.warm)) },
        ];
      }),
    };
  },
};
