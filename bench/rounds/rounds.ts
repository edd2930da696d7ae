import type { Choice } from "../support/measurement.ts";
import { median, type Spread, shuffled, spreadOf } from "../support/statistics.ts";

/** Somebody who is measured beside others. */
export interface Runner {
  readonly name: string;
  /** One measurement, in whatever unit all have. */
  readonly measure: () => number | Promise<number>;
}

/** What was measured of one of them. */
export interface Run {
  readonly name: string;
  /** Its own figures, one a round. */
  readonly figures: readonly number[];
  /** Those divided by the baseline's of the same round. */
  readonly ratios: Spread;
}

/** The patience that was asked for on the command line, where it was. */
export function patienceBy<Patience extends { readonly rounds: number }>(
  usual: Patience,
  choice: Choice | undefined,
): Patience {
  return choice?.patience?.rounds === undefined ? usual : { ...usual, ...choice.patience };
}

/**
 * Measures all of them in each round, in an order of chance, and the first, which the others are compared with, twice:
 * its noise would be in every ratio. The rounds before the first that counts only warm things up.
 */
export async function inRounds(
  runners: readonly Runner[],
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
): Promise<readonly Run[]> {
  const [baseline] = runners;
  if (baseline === undefined) return [];
  const figures = new Map(runners.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round += 1) {
    const came = new Map(runners.map(({ name }) => [name, [] as number[]]));
    for (const { name, measure } of shuffled([...runners, baseline])) came.get(name)?.push(await measure());
    if (round < 0) continue;
    for (const [name, own] of came) figures.get(name)?.push(median(own));
  }
  const base = figures.get(baseline.name) ?? [];
  return [...figures].map(([name, own]) => ({
    name,
    figures: own,
    ratios: spreadOf(own.map((figure, round) => figure / (base[round] ?? Number.NaN))),
  }));
}

/** `1.23 (1.10 to 1.40)` */
export function ratioText({ median: middle, least, most }: Spread): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

export function ratioOf(runs: readonly Run[], name: string): number {
  return runs.find((run) => run.name === name)?.ratios.median ?? Number.NaN;
}
