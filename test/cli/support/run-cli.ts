import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Context } from "../../../src/cli/context.ts";
import { main } from "../../../src/cli/main.ts";
import { aGate } from "../../support/http-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Starts `payments` in this process: without settings, in an empty folder and outside of a terminal. */
export function startCli(argv: readonly string[], overrides: Partial<Context> = {}) {
  const interrupted = aGate();
  onTestFinished(interrupted.open);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exitCode = main({
    argv,
    env: {},
    cwd: temporaryFolder(),
    stdin: new PassThrough(),
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    version: "1.2.3",
    untilInterrupted: () => interrupted.passed,
    ...overrides,
  });
  /** `interrupt` presses Ctrl-C. */
  const interrupt = interrupted.open;
  return { exitCode, stdout: () => stdout.join(""), stderr: () => stderr.join(""), interrupt };
}

/** Runs `payments` until it ends. */
export async function runCli(argv: readonly string[], overrides: Partial<Context> = {}) {
  const run = startCli(argv, overrides);
  return { exitCode: await run.exitCode, stdout: run.stdout(), stderr: run.stderr() };
}
