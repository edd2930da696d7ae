import { join } from "node:path";
import { inFreshProcess } from "../children/fresh-process.ts";
import type { AllocationTask } from "../support/calls/allocations-process.ts";
import { ALLOCATION_OPTIONS, type Allocations } from "../support/calls/count-allocations.ts";
import { contendersHere, OURS } from "../support/contenders.ts";
import type { Aim, Measurement } from "../support/measurement.ts";
import { KINDS } from "../support/orders.ts";
import { startServer } from "../support/start-server.ts";

const PROCESS = join(import.meta.dirname, "..", "support", "calls", "allocations-process.ts");
const PLAN = {
  full: { warmUp: 3_000, batches: 9, count: 100 },
  quick: { warmUp: 20, batches: 3, count: 10 },
};
const LIMIT_KB = 102;

/** How many bytes a create allocates: a count, which does not depend on how busy the machine is. */
export const measurement: Measurement = {
  name: "allocations",
  run: async (effort, choice) => {
    await using server = await startServer();
    const plan = PLAN[effort];
    const kinds = KINDS.filter(
      (kind) => choice?.kinds?.includes(kind) ?? (effort === "full" || kind === "card"),
    );
    const rows: string[][] = [];
    const aims: Aim[] = [];
    for (const { name, file } of contendersHere(choice?.only, effort)) {
      const task = { file, urls: server.urls, kinds, ...plan };
      const counts = await inFreshProcess<AllocationTask, Allocations[]>(PROCESS, task, ALLOCATION_OPTIONS);
      rows.push([name, ...counts.flatMap(({ heap, buffers }) => [kB(heap), kB(buffers)])]);
      if (name === OURS) aims.push(aimFor(counts[kinds.indexOf("card")]));
    }
    const columns = kinds.flatMap((kind) => [`${kind}: heap, kB`, "buffers, kB"]);
    return {
      title: "Bytes allocated by a create",
      text: `The median of ${plan.batches} batches of ${plan.count} calls, one at a time, after ${plan.warmUp} calls to warm up, in a fresh process whose young generation is so large that nothing is collected in a batch: what V8's heap has grown by is what was allocated. Buffers lie outside of that heap and are counted apart.`,
      tables: [{ caption: "", columns: ["contender", ...columns], rows }],
      aims,
    };
  },
};

const kB = (bytes: number) => (bytes / 1000).toFixed(1);

function aimFor(card: Allocations | undefined): Aim {
  const found = card === undefined ? Number.NaN : card.heap / 1000;
  return {
    what: "Bytes of the heap that a create of a card allocates, default transport",
    unit: "kB",
    limit: LIMIT_KB,
    found,
  };
}
