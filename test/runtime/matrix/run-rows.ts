import { stripVTControlCharacters } from "node:util";
import { withinLimit } from "./limit.ts";
import { Missing, type Row } from "./row.ts";
import type { Workshop } from "./workshop.ts";

export interface RowResult {
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly verdict: "ok" | "FAIL" | "missing";
  readonly seconds: number;
  /** What was seen, or why it failed or is missing. */
  readonly notes: readonly string[];
}

/** Long enough to bring a runtime over a slow line. */
const LONGEST_MS = 5 * 60_000;

/** Tries rows one after another: what they measure of each other would be nothing, and machines are small. */
export async function runRows(
  rows: readonly Row[],
  workshop: Workshop,
  onResult: (result: RowResult) => void,
  longestMs: number = LONGEST_MS,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rows) {
    const start = performance.now();
    const ending = await endOf(() => withinLimit(longestMs, () => row.run(workshop)));
    const seconds = (performance.now() - start) / 1000;
    const result = { name: row.name, label: row.label, version: row.version, seconds, ...ending };
    results.push(result);
    onResult(result);
  }
  return results;
}

async function endOf(tried: () => Promise<readonly string[]>): Promise<Pick<RowResult, "verdict" | "notes">> {
  try {
    return { verdict: "ok", notes: await tried() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return {
      verdict: error instanceof Missing ? "missing" : "FAIL",
      notes: [stripVTControlCharacters(text).trimEnd()],
    };
  }
}
