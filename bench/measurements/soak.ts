import { once } from "node:events";
import { startChild } from "../children/child.ts";
import type { Addresses, Findings, MerchantOrders, Plan, Way } from "../soak/plan.ts";
import { type Soaked, sectionOf } from "../soak/report.ts";
import type { Effort, Measurement, Section } from "../support/measurement.ts";

const SERVICE = new URL("../soak/service.ts", import.meta.url);
const MERCHANT = new URL("../soak/merchant.ts", import.meta.url);

/** Ten cycles of six seconds. */
const FULL: Plan = {
  cycles: 10,
  phases: { healthy: 2_100, slow: 900, failing: 1_100, leaving: 500, refusing: 500, recovering: 900 },
  atATime: 64,
  timeout: 400,
  ordersKept: 4_000,
  warmUp: 4_000,
  serverIdleMs: 0,
};
const QUICK: Plan = {
  cycles: 2,
  phases: { healthy: 100, slow: 120, failing: 120, leaving: 60, refusing: 60, recovering: 100 },
  atATime: 64,
  timeout: 100,
  ordersKept: 4_000,
  warmUp: 64,
  serverIdleMs: 100,
};

/** Milliseconds within which a process with nothing left to do has ended. */
const ENDS_WITHIN_MS = 2_000;

/** Two at a time: there is nothing here that a busy machine makes untrue. */
const WAYS: Readonly<Record<Effort, readonly (readonly Way[])[]>> = {
  full: [
    [
      { transport: "default", store: false },
      { transport: "node", store: false },
    ],
    [
      { transport: "default", store: true },
      { transport: "node", store: true },
    ],
  ],
  quick: [
    [
      { transport: "default", store: false },
      { transport: "node", store: true },
    ],
  ],
};

export const measurement: Measurement = { name: "soak", run };

async function run(effort: Effort): Promise<Section> {
  const plan = effort === "full" ? FULL : QUICK;
  const soaked: Soaked[] = [];
  for (const ways of WAYS[effort]) {
    soaked.push(...(await Promise.all(ways.map((way) => soak(way, plan)))));
  }
  return sectionOf(soaked, plan);
}

async function soak(way: Way, plan: Plan): Promise<Soaked> {
  const service = await startChild<Addresses>(SERVICE, plan);
  try {
    const orders: MerchantOrders = { ...way, ...service.said, plan };
    const merchant = await startChild<Findings>(MERCHANT, orders, ["--expose-gc"]);
    const endedByItself = await endsSoon(merchant.process);
    await merchant.stop();
    if (merchant.said.charges === 0) throw new Error("Nothing was ever created, so nothing was proven.");
    const name = `${way.transport} transport, ${way.store ? "memory store" : "no store"}`;
    return { ...merchant.said, way: name, endedByItself };
  } finally {
    await service.stop();
  }
}

async function endsSoon(child: NodeJS.EventEmitter & { readonly exitCode: number | null }): Promise<boolean> {
  if (child.exitCode !== null) return child.exitCode === 0;
  const patience = AbortSignal.timeout(ENDS_WITHIN_MS);
  return once(child, "exit", { signal: patience }).then(
    ([code]) => code === 0,
    () => false,
  );
}
