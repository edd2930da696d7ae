import { join } from "node:path";
import { type FreshProcess, startFreshProcess } from "../../children/fresh-process.ts";
import { BASELINE, type Contender } from "../contenders.ts";
import type { Kind } from "../orders.ts";
import { quantile, shuffled } from "../statistics.ts";
import type { Slice, SliceCost } from "./time-process.ts";

const TIME_PROCESS = join(import.meta.dirname, "time-process.ts");

/** Microseconds a call. */
export interface CallCost {
  readonly cpu: number;
  readonly latency: number;
  /** What one call in a hundred exceeds. */
  readonly latency99: number;
}

/** What calls cost by name of contender and by number at a time, in one round. */
export type Round = ReadonlyMap<string, readonly CallCost[]>;

export interface RoundPlan {
  readonly contenders: readonly Contender[];
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly rounds: number;
  readonly atATime: readonly number[];
  /** Calls of a new process at each number at a time, before its first slice. */
  readonly warmUp: number;
  /** Calls before each slice that are not counted: a process that has rested finds its caches cold. */
  readonly settle: number;
  /** Slices of each number at a time. */
  readonly slices: number;
  /** Calls a slice. */
  readonly count: number;
}

/** Round after round each contender in a fresh process. */
export async function timeRounds({ rounds, ...plan }: RoundPlan): Promise<Round[]> {
  const timed: Round[] = [];
  for (let round = 0; round < rounds; round += 1) timed.push(await timeRound(plan));
  return timed;
}

interface Turn {
  readonly contender: Contender;
  readonly process: FreshProcess<Slice, SliceCost>;
  /** By number at a time. */
  readonly costs: readonly SliceCost[][];
}

/**
 * One works at a time, and for a slice only: a machine that slows down for seconds slows all of them. All others are
 * divided by the baseline, so its own noise would be in every figure: it takes part twice.
 */
async function timeRound({
  contenders,
  atATime,
  warmUp,
  settle,
  slices,
  ...plan
}: Omit<RoundPlan, "rounds">): Promise<Round> {
  await using processes = new AsyncDisposableStack();
  const turns: Turn[] = [...contenders, ...contenders.filter(({ name }) => name === BASELINE)].map(
    (contender) => ({
      contender,
      process: processes.use(startFreshProcess<Slice, SliceCost>(TIME_PROCESS)),
      costs: atATime.map(() => []),
    }),
  );
  const ask = ({ contender: { file }, process }: Turn, number: number, calls: number) =>
    process.ask({ ...plan, file, atATime: number, warmUp: calls });
  for (const number of atATime) for (const turn of shuffled(turns)) await ask(turn, number, warmUp);
  for (const [at, number] of atATime.entries()) {
    for (let slice = 0; slice < slices; slice += 1) {
      for (const turn of shuffled(turns)) turn.costs[at]?.push(await ask(turn, number, settle));
    }
  }
  return costsOf(contenders, turns, atATime);
}

function costsOf(
  contenders: readonly Contender[],
  turns: readonly Turn[],
  atATime: readonly number[],
): Round {
  const slicesOf = (name: string, at: number) =>
    turns.filter(({ contender }) => contender.name === name).flatMap(({ costs }) => costs[at] ?? []);
  return new Map(contenders.map(({ name }) => [name, atATime.map((_, at) => costOf(slicesOf(name, at)))]));
}

function costOf(slices: readonly SliceCost[]): CallCost {
  const took = slices.flatMap((slice) => [...slice.took]);
  const cpu = slices.reduce((sum, slice) => sum + slice.cpu, 0) / took.length;
  return { cpu, latency: 1000 * quantile(took, 0.5), latency99: 1000 * quantile(took, 0.99) };
}
