// In a fresh process: what the first calls after a pause cost one contender, beside its calls before.
import { setTimeout as sleep } from "node:timers/promises";
import { onTask } from "../../children/fresh-process.ts";
import { connectTo, type Target } from "../contenders.ts";
import { median } from "../statistics.ts";
import { makeCalls } from "./make-calls.ts";

export interface IdleTask extends Target {
  readonly warmUp: number;
  /** Batches before the pause, and after it. */
  readonly batches: readonly [number, number];
  /** So many batches after the pause are told apart from the others. */
  readonly first: number;
  /** Calls a batch. */
  readonly count: number;
  readonly idleMs: number;
}

/** Microseconds of CPU a call. */
export interface IdleCost {
  /** In the middle one of the batches before the pause. */
  readonly warm: number;
  /** In the middle one of those after it. */
  readonly after: number;
  /** In the first batches after it, all together. */
  readonly first: number;
}

onTask(async ({ warmUp, batches, first, count, idleMs, ...target }: IdleTask): Promise<IdleCost> => {
  const create = await connectTo(target);
  const costsOf = async (number: number) => {
    const costs: number[] = [];
    while (costs.length < number) {
      const before = process.cpuUsage();
      await makeCalls(create, target.kind, { count, atATime: 1 });
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / count);
    }
    return costs;
  };
  await makeCalls(create, target.kind, { count: warmUp, atATime: 1 });
  const warm = await costsOf(batches[0]);
  await sleep(idleMs);
  const after = await costsOf(batches[1]);
  const firstOnes = after.slice(0, first);
  const firstCost = firstOnes.reduce((sum, cost) => sum + cost) / firstOnes.length;
  return { warm: median(warm), after: median(after), first: firstCost };
});
