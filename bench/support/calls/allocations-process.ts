// In a fresh process: how much calls of one contender allocate, kind by kind.

import { onTask } from "../../children/fresh-process.ts";
import { connectTo } from "../contenders.ts";
import type { Kind } from "../orders.ts";
import { type AllocationPlan, type Allocations, countAllocations } from "./count-allocations.ts";

export interface AllocationTask extends AllocationPlan {
  readonly file: string;
  readonly urls: Readonly<Record<Kind, string>>;
  readonly kinds: readonly Kind[];
}

onTask(async ({ file, urls, kinds, ...plan }: AllocationTask): Promise<Allocations[]> => {
  const counts: Allocations[] = [];
  for (const kind of kinds) {
    const create = await connectTo({ file, baseUrl: urls[kind] });
    // The code is the same for each kind: what was compiled for one is warm for the next.
    const warmUp = counts.length === 0 ? plan.warmUp : plan.count;
    counts.push(await countAllocations(create, kind, { ...plan, warmUp }));
  }
  return counts;
});
