import { GCProfiler } from "node:v8";
import type { Create } from "../contender.ts";
import type { Kind } from "../orders.ts";
import { median } from "../statistics.ts";
import { makeCalls } from "./make-calls.ts";

/**
 * Node options that counting needs: a young generation in which nothing has to be collected between two looks, so that
 * what the heap has grown by is what was allocated.
 */
export const ALLOCATION_OPTIONS = [
  "--expose-gc",
  "--min-semi-space-size=256",
  "--max-semi-space-size=256",
] as const;

export interface AllocationPlan {
  /** Calls before the first look: half of what an unwarmed call allocates is the compiler's. */
  readonly warmUp: number;
  readonly batches: number;
  /** Calls a batch. */
  readonly count: number;
}

/** Bytes a call. */
export interface Allocations {
  /** In V8's heap: objects, strings, closures. */
  readonly heap: number;
  /** Outside of it: what came over the socket, and its copies. */
  readonly buffers: number;
}

/**
 * How many bytes a call allocates, one call at a time: the median of batches, because the compiler puts code into the
 * same heap now and then. A batch in which something was collected tells nothing and is left out. Needs a process
 * with {@link ALLOCATION_OPTIONS}.
 */
export async function countAllocations(
  create: Create,
  kind: Kind,
  { warmUp, batches, count }: AllocationPlan,
): Promise<Allocations> {
  await makeCalls(create, kind, { count: warmUp, atATime: 1 });
  const told: Allocations[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const allocated = await countBatch(() => makeCalls(create, kind, { count, atATime: 1 }), count);
    if (allocated) told.push(allocated);
  }
  if (told.length <= batches / 2) throw new Error("Most batches were collected: they are too large.");
  return { heap: median(told.map(({ heap }) => heap)), buffers: median(told.map(({ buffers }) => buffers)) };
}

async function countBatch(calls: () => Promise<unknown>, count: number): Promise<Allocations | undefined> {
  const collect = globalThis.gc;
  if (!collect) throw new Error(`Needs node ${ALLOCATION_OPTIONS.join(" ")}.`);
  collect();
  const profiler = new GCProfiler();
  profiler.start();
  const before = process.memoryUsage();
  await calls();
  const after = process.memoryUsage();
  if (profiler.stop()?.statistics.length !== 0) return undefined;
  return {
    heap: (after.heapUsed - before.heapUsed) / count,
    buffers: (after.arrayBuffers - before.arrayBuffers) / count,
  };
}
