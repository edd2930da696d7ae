// In a fresh process: what is left in memory after more and more calls of one contender.
import { setTimeout as sleep } from "node:timers/promises";
import { onTask } from "../../children/fresh-process.ts";
import { connectTo, type Target } from "../contenders.ts";
import { makeCalls } from "./make-calls.ts";

export interface MemoryTask extends Target {
  readonly atATime: number;
  /** Numbers of calls after which memory is looked at, rising. */
  readonly marks: readonly number[];
}

export interface Memory {
  /** Bytes of V8's heap that are in use after a full collection, at each mark. */
  readonly heap: readonly number[];
  /** Bytes of the whole process at the last mark. */
  readonly resident: number;
}

const SETTLE_MS = 50;

onTask(async ({ atATime, marks, ...target }: MemoryTask): Promise<Memory> => {
  const create = await connectTo(target);
  const heap: number[] = [];
  let made = 0;
  for (const mark of marks) {
    await makeCalls(create, target.kind, { count: mark - made, atATime });
    made = mark;
    heap.push(await heapInUse());
  }
  return { heap, resident: process.memoryUsage().rss };
});

async function heapInUse(): Promise<number> {
  // What finalizers and idle sockets still hold is let go in later turns.
  for (let turn = 0; turn < 4; turn += 1) {
    await sleep(SETTLE_MS);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
