import { median } from "../support/statistics.ts";
import { type Buyer, METHODS } from "./buyer.ts";
import type { SandboxCost, SandboxPlan } from "./plan.ts";

/** A sandbox that is filled and looked at. */
export interface Subject {
  readonly buyer: Buyer;
  /** Creates transactions without being measured, until there are so many. */
  readonly fillTo: (size: number) => Promise<void>;
  /** Microseconds of CPU that its process has used. */
  readonly cpu: () => Promise<number>;
}

export async function measureSandbox(
  { buyer, fillTo, cpu }: Subject,
  plan: SandboxPlan,
): Promise<SandboxCost[]> {
  const costs: SandboxCost[] = [];
  for (const size of plan.sizes) {
    await fillTo(size);
    for (const method of METHODS) {
      const speeds: number[] = [];
      const cpus: number[] = [];
      for (let round = 0; round < plan.rounds; round += 1) {
        const cpuBefore = await cpu();
        const start = performance.now();
        await buyer.createMany([method], plan.creates, plan.atATime);
        speeds.push(plan.creates / ((performance.now() - start) / 1000));
        cpus.push(((await cpu()) - cpuBefore) / plan.creates);
      }
      costs.push({ size, method, perSecond: median(speeds), cpu: median(cpus) });
    }
  }
  return costs;
}
