import { OURS, OURS_ON_NODE, STRIPE } from "../contenders.ts";
import type { Aim } from "../measurement.ts";
import type { Kind } from "../orders.ts";
import { median } from "../statistics.ts";
import { ratios } from "./ratios.ts";
import type { Round } from "./time-rounds.ts";

/** What a create of ours should cost; of those contenders that took part. */
export function createAims(measured: ReadonlyMap<Kind, readonly Round[]>, atATime: readonly number[]): Aim[] {
  return [...measured].flatMap(([kind, rounds]) => {
    const tookPart = (name: string) => rounds.every((round) => round.has(name));
    const cpu = (name: string, at: number) => median(ratios(rounds, name, (costs) => costs[at]?.cpu));
    const aims: Aim[] = [];
    for (const [at, number] of atATime.entries()) {
      const circumstances = `${kind}, ${number} at a time, beside fetch`;
      if (tookPart(OURS)) {
        aims.push({
          what: `CPU of a create, default transport: ${circumstances}`,
          unit: "times",
          limit: 1.4,
          found: cpu(OURS, at),
        });
      }
      if (!tookPart(OURS_ON_NODE)) continue;
      const what = `CPU of a create over nodeTransport: ${circumstances}`;
      aims.push({ what, unit: "times", limit: 0.85, found: cpu(OURS_ON_NODE, at) });
      if (!tookPart(STRIPE)) continue;
      const limit = cpu(STRIPE, at);
      aims.push({
        what: `${what}; the limit is stripe's`,
        unit: "times",
        limit,
        found: cpu(OURS_ON_NODE, at),
      });
    }
    const alone = atATime.indexOf(1);
    if (tookPart(OURS_ON_NODE)) {
      aims.push({
        what: `Latency of a create over nodeTransport: ${kind}, 1 at a time, beside fetch`,
        unit: "times",
        limit: 0.95,
        found: median(ratios(rounds, OURS_ON_NODE, (costs) => costs[alone]?.latency)),
      });
    }
    return aims;
  });
}
