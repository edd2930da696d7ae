import { createInterface } from "node:readline";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";

/**
 * @param unchanged - What the failure says, such as `Nothing was recorded`.
 * @throws {Failure} `not_confirmed` unless the answer is yes, and if stdin is not a terminal.
 */
export async function confirm(context: Context, question: string, unchanged: string): Promise<void> {
  if (!context.stdin.isTTY) {
    throw new Failure("not_confirmed", `${unchanged}: without a terminal, pass --yes.`);
  }
  if (!(await ask(context, question))) throw new Failure("not_confirmed", `${unchanged}.`);
}

/** Asks in a terminal, and returns whether the answer is yes. It is not after Ctrl-C and Ctrl-D. */
export async function ask(context: Context, question: string): Promise<boolean> {
  const { stdin, stderr } = context;
  if ("readableEnded" in stdin && stdin.readableEnded) return false;
  stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin });
  void context.untilInterrupted().then(() => lines.close());
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve).once("close", () => resolve(undefined));
  });
  lines.close();
  if (answer === undefined) stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/**
 * Lets Ctrl-C, or a closed pipe, end a command that reads for long. Its store is then closed: SQLite would otherwise leave
 * files next to the database.
 *
 * @throws {Reported}
 */
export async function orInterrupted<Result>(context: Context, work: Promise<Result>): Promise<Result> {
  const interrupted = context.untilInterrupted().then(() => {
    throw new Reported();
  });
  return await Promise.race([work, interrupted]);
}
