import { join } from "node:path";
import type { Consumer } from "../../system/support/consumer.ts";
import { finish } from "./finish.ts";
import { type Expected, judge, reportOf } from "./read-report.ts";
import { startService } from "./service.ts";
import { compileSmoke } from "./smoke-files.ts";

/** A runtime that runs a file as Node does: the command, and what comes before the file. */
export interface ProcessRuntime {
  readonly command: string;
  readonly args?: readonly string[];
  readonly expected: Expected;
}

/** Parts that only some runtimes pass. */
const OPTIONAL_PARTS = ["no TLS session", "msw"];

/** The smoke test in a process of its own, with the package imported or required. */
export async function smokeInProcess(
  { folder }: Consumer,
  { command, args = [], expected }: ProcessRuntime,
  format: "esm" | "cjs",
): Promise<readonly string[]> {
  const file = join(folder, `smoke.${format === "esm" ? "mjs" : "cjs"}`);
  await compileSmoke("process.ts", file, format);
  const service = await startService();
  try {
    const optional = OPTIONAL_PARTS.filter((part) => expected.entries.includes(part));
    const given = JSON.stringify(service.address);
    const finished = await finish(command, [...args, file, given, ...optional], folder);
    return judge(reportOf(finished), expected);
  } finally {
    await service.close();
  }
}
