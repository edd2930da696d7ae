import type { RowResult } from "./run-rows.ts";

/** Wide enough for the longest label with its version. */
const LABEL_WIDTH = 38;

/** What failed may print pages; `--json` has all of it. */
const MOST_LINES = 40;

/** A line for a row, and what was seen below it. */
export function rowLines({ verdict, label, version, seconds, notes }: RowResult): string {
  const head = `${verdict.padEnd(8)} ${`${label} ${version}`.padEnd(LABEL_WIDTH)} ${seconds.toFixed(1).padStart(6)} s`;
  const lines = notes.flatMap((note) => note.split("\n"));
  const left = lines.length - MOST_LINES;
  const shown = left > 0 ? [...lines.slice(0, MOST_LINES), `... and ${left} more lines`] : lines;
  return [head, ...shown.map((line) => `         ${line}`)].join("\n");
}

export interface Closing {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

/** What it all comes to. What is missing was not tested: it never counts as passed. */
export function closingOf(results: readonly RowResult[], strict: boolean): Closing {
  const count = (verdict: RowResult["verdict"]) => results.filter((one) => one.verdict === verdict).length;
  const [ok, failed, missing] = [count("ok"), count("FAIL"), count("missing")];
  const incomplete = missing === 0 ? "" : "\nThe matrix is not complete: what is missing was not tested.";
  const isWrong = failed > 0 || ok + missing === 0 || (strict && missing > 0);
  return { text: `${ok} ok, ${failed} failed, ${missing} missing${incomplete}`, exitCode: isWrong ? 1 : 0 };
}
