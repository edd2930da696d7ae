import { join } from "node:path";
import { inFreshProcess } from "../children/fresh-process.ts";
import type { Memory, MemoryTask } from "../support/calls/memory-process.ts";
import { BASELINE, contendersHere, OURS, OURS_ON_NODE, STRIPE } from "../support/contenders.ts";
import type { Aim, Measurement } from "../support/measurement.ts";
import { startServer } from "../support/start-server.ts";

const PROCESS = join(import.meta.dirname, "..", "support", "calls", "memory-process.ts");
const AT_A_TIME = 16;
const MARKS = {
  full: [1_000, 5_000, 10_000, 15_000, 20_000],
  quick: [20, 40, 60],
};
/** From the second mark on the heap is to be flat: what grows before is code that was compiled. */
const FROM = 1;
/** V8 has no object that is smaller: a call that left one behind would be seen. */
const LIMIT_BYTES = 16;
/** Code that was not used for long is kept: once in a while it would be thrown away, 5 MB of it, and hide any growth. */
const NODE_OPTIONS = ["--expose-gc", "--no-flush-bytecode"];

/** What 20,000 creates leave in memory. */
export const measurement: Measurement = {
  name: "memory",
  run: async (effort, choice) => {
    await using server = await startServer();
    const marks = MARKS[effort];
    const rows: string[][] = [];
    const aims: Aim[] = [];
    for (const { name, file } of contendersHere(
      choice?.only ?? [BASELINE, OURS, OURS_ON_NODE, STRIPE],
      effort,
    )) {
      const task = { file, kind: "card", baseUrl: server.urls.card, atATime: AT_A_TIME, marks } as const;
      const memory = await inFreshProcess<MemoryTask, Memory>(PROCESS, task, NODE_OPTIONS);
      const grown = growth(memory, marks);
      rows.push([
        name,
        ...memory.heap.map((bytes) => kB(bytes)),
        grown.toFixed(1),
        (memory.resident / 1_000_000).toFixed(0),
      ]);
      if (name === OURS || name === OURS_ON_NODE) aims.push(aimFor(name, marks, grown));
    }
    const columns = marks.map((mark) => `${mark.toLocaleString("en")} calls, kB`);
    return {
      title: "Memory over many creates",
      text: `Creates of a card in one process, ${AT_A_TIME} at a time. At each mark the calls have ended and everything was collected; what is in use of V8's heap then is the figure. Growth is the most that the heap rose from one mark to a later one, from the second mark on, divided by the calls between the second mark and the last. V8 has no object of less than 16 bytes, so less than that is no object left by each call; what node:http alone gains is of this order, and levels off over 65,000 calls. Resident is the whole process at the end, in MB: mostly room that V8 keeps for what it has not collected yet.`,
      tables: [
        { caption: "", columns: ["contender", ...columns, "growth, bytes a call", "resident, MB"], rows },
      ],
      aims,
    };
  },
};

const kB = (bytes: number) => (bytes / 1000).toFixed(0);

/** Bytes a call: the most that the heap rose from one mark to a later one, over all calls from the first to the last. */
function growth({ heap }: Memory, marks: readonly number[]): number {
  const flat = heap.slice(FROM);
  const rises = flat.flatMap((bytes, at) => flat.slice(at + 1).map((later) => later - bytes));
  return Math.max(...rises) / ((marks.at(-1) ?? 0) - (marks[FROM] ?? 0));
}

function aimFor(name: string, marks: readonly number[], found: number): Aim {
  const [from, to] = [marks[FROM], marks.at(-1)].map((mark) => mark?.toLocaleString("en"));
  return {
    what: `Growth of the heap between ${from} calls and ${to}: ${name}`,
    unit: "bytes a call",
    limit: LIMIT_BYTES,
    found,
  };
}
