// In a fresh process: what calls of one contender cost, slice by slice.

import { onTask } from "../../children/fresh-process.ts";
import type { Create } from "../contender.ts";
import { connectTo, type Target } from "../contenders.ts";
import { makeCalls } from "./make-calls.ts";

export interface Slice extends Target {
  readonly atATime: number;
  /** Calls before the counted ones. */
  readonly warmUp: number;
  readonly count: number;
}

export interface SliceCost {
  /** Microseconds of all counted calls: user and system, of this process with all its threads. */
  readonly cpu: number;
  /** Milliseconds of each call. */
  readonly took: Float64Array;
}

let connected: Create | undefined;

onTask(async ({ atATime, warmUp, count, ...target }: Slice): Promise<SliceCost> => {
  connected ??= await connectTo(target);
  await makeCalls(connected, target.kind, { count: warmUp, atATime });
  const before = process.cpuUsage();
  const took = await makeCalls(connected, target.kind, { count, atATime });
  const { user, system } = process.cpuUsage(before);
  return { cpu: user + system, took };
});
