import { BASELINE, type Contender } from "../contenders.ts";
import type { Table } from "../measurement.ts";
import { median, spreadOf } from "../statistics.ts";
import { baselineOf, ratios } from "./ratios.ts";
import type { CallCost, Round } from "./time-rounds.ts";

export interface CostFigure {
  readonly caption: string;
  readonly figure: keyof CallCost;
}

/** One figure of every contender, as ratios to the baseline. */
export function costTable(
  rounds: readonly Round[],
  contenders: readonly Contender[],
  atATime: readonly number[],
  { caption, figure }: CostFigure,
): Table {
  const cell = (name: string, at: number) => {
    const read = (costs: readonly CallCost[]) => costs[at]?.[figure];
    if (name === BASELINE) return `1 (${median(baselineOf(rounds, read)).toFixed(0)} µs)`;
    const { median: middle, least, most } = spreadOf(ratios(rounds, name, read));
    return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  };
  return {
    caption,
    columns: ["contender", ...atATime.map((number) => `${number} at a time`)],
    rows: contenders.map(({ name }) => [name, ...atATime.map((_, at) => cell(name, at))]),
  };
}
