import { stderr, stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** Where somebody is asked. */
export interface Dialogue {
  readonly input: Readable;
  readonly output: Writable;
}

/** On the error stream, because the other one may go into a file. */
const TERMINAL: Dialogue = { input: stdin, output: stderr };

/** Long enough for what was typed before to be here. */
const FORGETTING_MS = 50;

/** What somebody answers; `undefined` for Ctrl-D. */
export async function ask(
  question: string,
  { input, output }: Dialogue = TERMINAL,
): Promise<string | undefined> {
  return read(question, input, output);
}

/** The same, without showing what is typed. */
export async function askSecretly(
  question: string,
  { input, output }: Dialogue = TERMINAL,
): Promise<string | undefined> {
  output.write(question);
  const answer = await read("", input, silence());
  output.write("\n");
  return answer;
}

/** Whether somebody answers with a yes, which is nothing but that word, typed after the question. */
export async function askForYes(question: string, { input, output }: Dialogue = TERMINAL): Promise<boolean> {
  const forgotten = createInterface({ input, output: silence(), terminal: true, historySize: 0 });
  forgotten.on("SIGINT", interrupt);
  await pause(FORGETTING_MS);
  forgotten.close();
  const answer = await read(question, input, output);
  return answer?.trim().toLowerCase() === "yes";
}

async function read(question: string, input: Readable, output: Writable): Promise<string | undefined> {
  const terminal = createInterface({ input, output, terminal: true, historySize: 0 });
  terminal.on("SIGINT", interrupt);
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question), closed]);
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Whoever reads single keys would swallow a Ctrl-C. */
function interrupt(): void {
  process.kill(process.pid, "SIGINT");
}

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
