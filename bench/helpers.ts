// What the benchmarks share: processes of their own, rounds, statistics and tables.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

/** The folder that `npm install --prefix bench/peers` fills. */
export const PEERS = join(import.meta.dirname, "peers");

/** Whether the other SDKs are installed. Prints how to install them if they are not. */
export function arePeersInstalled(): boolean {
  const areInstalled = existsSync(join(PEERS, "node_modules"));
  if (!areInstalled)
    console.error("The peers are left out: npm install --prefix bench/peers --no-package-lock");
  return areInstalled;
}

/** A number given on the command line as `--name 3`. */
export function numberOption(name: string, preset: number): number {
  const options = { [name]: { type: "string", default: String(preset) } } as const;
  const value = Number(parseArgs({ options, strict: false }).values[name]);
  if (!(value > 0)) throw new RangeError(`--${name} must be a number above zero.`);
  return value;
}

/** Prints the title of a benchmark and the machine it runs on. */
export function printTitle(title: string): void {
  const { length, 0: first } = cpus();
  const date = new Date().toISOString().slice(0, 10);
  console.log(`## ${title}\n\n${date}, Node ${process.versions.node}, ${length} cores, ${first?.model}\n`);
}

/** A process that does tasks, one after the other. It is killed when it is disposed. */
export interface Worker extends AsyncDisposable {
  readonly child: ChildProcess;
  /** @throws {Error} if the process ends before it answers. */
  ask<Result>(task: unknown): Promise<Result>;
}

/** Starts a file that calls {@link onTask} in a process of its own. */
export function startWorker(file: string, args: readonly string[], execArgv: readonly string[] = []): Worker {
  const child = fork(file, args, { execArgv: [...execArgv], serialization: "advanced" });
  const exited = once(child, "exit");
  const failed = exited.then(([code, signal]) => {
    throw new Error(`${basename(file)} ended with ${code ?? signal} before it answered.`);
  });
  failed.catch(() => undefined); // every worker ends after its last answer
  return {
    child,
    ask: async <Result>(task: unknown) => {
      const answered = Promise.race([once(child, "message"), failed]);
      child.send(task as object | number, () => undefined);
      const [result] = await answered;
      return result as Result;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The other side of {@link startWorker}. The process ends when nobody is left to ask. */
export function onTask<Task>(work: (task: Task) => unknown): void {
  process.on("disconnect", () => process.exit());
  process.on("message", async (task) => {
    process.send?.((await work(task as Task)) ?? {});
  });
}

/** Bytes in use after a garbage collection, in a process that was started with `--expose-gc`. */
export async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    globalThis.gc?.();
    await pause(5); // for what is cleaned up after a collection
  }
  return process.memoryUsage().heapUsed;
}

/** What was measured, by name of contender: one record of figures for each round. The first is the baseline. */
export type Results = Map<string, Record<string, number>[]>;

/**
 * Measures every contender once in each round, in random order: a fixed one favours whoever follows a cheap neighbour.
 * The baseline is measured twice, because its noise is in every ratio.
 */
export async function inRounds(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Record<string, number> | Promise<Record<string, number>>,
): Promise<Results> {
  const results: Results = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const measured: Results = new Map(names.map((name) => [name, []]));
    for (const name of shuffled([...names, ...names.slice(0, 1)]))
      measured.get(name)?.push(await measure(name));
    for (const [name, records] of measured) results.get(name)?.push(mean(records));
  }
  return results;
}

function mean(records: readonly Record<string, number>[]): Record<string, number> {
  const keys = Object.keys(records[0] ?? {});
  const meanOf = (key: string) =>
    records.reduce((sum, record) => sum + (record[key] ?? 0), 0) / records.length;
  return Object.fromEntries(keys.map((key) => [key, meanOf(key)]));
}

function shuffled<Value>(values: readonly Value[]): Value[] {
  const keyed = values.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
}

export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** One figure of a contender in each round. */
function figuresOf(results: Results, name: string, key: string): number[] {
  return (results.get(name) ?? []).map((record) => record[key] ?? Number.NaN);
}

/** The median of one figure of a contender over all rounds. */
export function medianOf(results: Results, name: string, key: string): number {
  return median(figuresOf(results, name, key));
}

/** `1.23 (1.10 to 1.40)`: a figure divided by the baseline's of the same round; median, least and most. */
export function ratioCell(results: Results, name: string, key: string): string {
  const baseline = figuresOf(results, results.keys().next().value ?? "", key);
  const ratios = figuresOf(results, name, key).map((figure, round) => figure / (baseline[round] ?? 0));
  const digits = (ratio: number) => ratio.toFixed(ratio < 10 ? 2 : 0);
  const cells = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map(digits);
  return `${cells[0]} (${cells[1]} to ${cells[2]})`;
}

/** Prints a Markdown table. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const ruler = columns.map((_, at) => (at === 0 ? "---" : "---:"));
  console.log(`${[columns, ruler, ...rows].map(line).join("\n")}\n`);
}
