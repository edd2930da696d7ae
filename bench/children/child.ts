import type { ChildProcess } from "node:child_process";
import { forkModule } from "./forked.ts";

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
  const {
    process: child,
    next,
    ask,
    ended,
  } = forkModule(module, { args: [JSON.stringify(order)], nodeOptions });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  };
  try {
    return { process: child, said: await next<Message>(), ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
