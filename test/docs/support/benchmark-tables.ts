import { textOf } from "./figures.ts";

const results = textOf("bench/results.md");

/** The cells of the row of `bench/results.md` that begins so, in the first table below this line. */
function measuredRow(line: string, name: string): readonly string[] {
  const [, below = ""] = results.split(`\n${line}`);
  const rows = below.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  const found = rows.find(([, first]) => first === name);
  if (found === undefined) throw new TypeError(`bench/results.md has no ${name} below ${line}`);
  return found.slice(2, -1);
}

/** The same as a number; what stands in brackets is no part of it. */
export function measured(line: string, name: string, column: number): number {
  return Number.parseFloat(measuredRow(line, name)[column] ?? "");
}

const cpuOf = (create: string) => `**CPU of a ${create}`;

/** CPU of a create, of a card or something else, beside that of fetch: at 1, 16 and 64 at a time. */
export const cpuRatios = (contender: string, create = "card"): number[] =>
  [0, 1, 2].map((column) => measured(cpuOf(create), contender, column));

/** Milliseconds of CPU that a create of a card takes where several are under way; the mean of both figures. */
export function cpuOfCreate(contender: string): number {
  const microseconds = measuredRow(cpuOf("card"), "fetch").map((cell) =>
    Number(/\((\d+) µs\)/.exec(cell)?.[1]),
  );
  const ratios = cpuRatios(contender);
  const [few = 0, many = 0] = [1, 2].map((column) => (microseconds[column] ?? 0) * (ratios[column] ?? 0));
  return (few + many) / 2 / 1000;
}
