import { REPORT_MARK, type SmokeReport } from "../smoke/setting.ts";
import type { Finished } from "./finish.ts";

/** What a runtime must say: every part passed, and what is worth a word is what is expected. */
export interface Expected {
  readonly entries: readonly string[];
  readonly seen: readonly string[];
}

/**
 * The report among what a process printed.
 *
 * @throws {Error} where there is none, or the process did not end well, whatever it reported before.
 */
export function reportOf({ code, output }: Finished): SmokeReport {
  if (code !== 0) throw new Error(`It ended with ${code}:\n${output}`);
  const line = output.split("\n").find((one) => one.includes(REPORT_MARK));
  if (line === undefined) throw new Error(`The smoke test did not come to its end:\n${output}`);
  return JSON.parse(line.slice(line.indexOf(REPORT_MARK) + REPORT_MARK.length)) as SmokeReport;
}

/** @throws {Error} where a part failed, did not run, or saw something else. */
export function judge({ passed, failed, seen }: SmokeReport, expected: Expected): readonly string[] {
  const failures = Object.entries(failed).map(([part, why]) => `${part}: ${why}`);
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const lost = expected.entries.filter((entry) => !passed.includes(entry));
  if (lost.length > 0) throw new Error(`These did not run: ${lost.join(", ")}.`);
  if (JSON.stringify(seen) !== JSON.stringify(expected.seen)) {
    throw new Error(`It saw ${JSON.stringify(seen)} instead of ${JSON.stringify(expected.seen)}.`);
  }
  return seen;
}
