import { BASELINE } from "../contenders.ts";
import type { CallCost, Round } from "./time-rounds.ts";

type Figure = (costs: readonly CallCost[]) => number | undefined;

/** A figure of a contender in each round, divided by the baseline's of the same round. */
export function ratios(rounds: readonly Round[], name: string, figure: Figure): number[] {
  const of = (round: Round, whose: string) => figure(round.get(whose) ?? []) ?? Number.NaN;
  return rounds.map((round) => of(round, name) / of(round, BASELINE));
}

/** A figure of the baseline in each round, in microseconds. */
export function baselineOf(rounds: readonly Round[], figure: Figure): number[] {
  return rounds.map((round) => figure(round.get(BASELINE) ?? []) ?? Number.NaN);
}
