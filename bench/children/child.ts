import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process that does one thing for a measurement. */
export interface Child<Message> {
  readonly process: ChildProcess;
  /** The first thing that it said. */
  readonly said: Message;
  /** Sends it something, and waits for what it says then. */
  ask<Answer>(order: unknown): Promise<Answer>;
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds after which one that says nothing is ended. */
const PATIENCE_MS = 300_000;

/**
 * Runs a module in a process of its own, which gets `order` as JSON in its first argument, and waits for the first thing
 * that it says.
 *
 * @throws {Error} where it ends without a word, or is ended because it says nothing for five minutes.
 */
export async function startChild<Message>(
  module: URL,
  order: unknown,
  nodeOptions: readonly string[] = [],
): Promise<Child<Message>> {
  const child = fork(module, [JSON.stringify(order)], {
    execArgv: [...nodeOptions],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let complaints = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  };
  const next = async <Said>(): Promise<Said> => {
    const early = ended.then(([code, signal]) => {
      throw new Error(
        `${module.pathname.split("/").at(-1)} ended with ${code ?? signal} before it said anything: ${complaints}`,
      );
    });
    early.catch(() => undefined); // it ends some day
    const impatience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    try {
      return await Promise.race([once(child, "message").then(([said]) => said as Said), early]);
    } finally {
      clearTimeout(impatience);
    }
  };
  try {
    const ask = <Answer>(question: unknown) => {
      const answer = next<Answer>();
      child.send(question as object);
      return answer;
    };
    return { process: child, said: await next<Message>(), ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
