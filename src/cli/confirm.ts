import { createInterface } from "node:readline";
import { Failure } from "./command-failure.ts";
import type { Context } from "./context.ts";

/**
 * @param unchanged - What the failure says, such as `Nothing was recorded`.
 * @throws {Failure} `not_confirmed` unless the answer is yes, and if stdin is not a terminal.
 */
export async function confirm(context: Context, question: string, unchanged: string): Promise<void> {
  const { stdin, stderr } = context;
  if (!stdin.isTTY) throw new Failure("not_confirmed", `${unchanged}: without a terminal, pass --yes.`);
  stderr.write(`${question} [y/N] `);
  let answer = ""; // also after Ctrl-D
  for await (answer of createInterface({ input: stdin })) break;
  if (!/^(y|yes)$/i.test(answer.trim())) throw new Failure("not_confirmed", `${unchanged}.`);
}
