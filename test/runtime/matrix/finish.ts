import { stripVTControlCharacters } from "node:util";
import { run } from "../../support/running.ts";
import { onLimit } from "./limit.ts";

export interface Finished {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
}

/** Runs a command to its end. What takes too long is ended, with what it started. */
export async function finish(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  const running = run(command, args, cwd);
  const forget = onLimit(running.kill);
  try {
    const code = await running.ended;
    return { code, output: stripVTControlCharacters(running.stdout() + running.stderr()) };
  } finally {
    forget();
    running.kill();
  }
}

/** The output of a command that succeeds. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await finish(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}
