import { type ChildProcess, fork, type SerializationType } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** A process that speaks with the one that started it. */
export interface Forked {
  readonly process: ChildProcess;
  /** Waits for the next thing that it says. */
  next<Said>(): Promise<Said>;
  /** Sends it something, and waits for what it says then. */
  ask<Said>(order: unknown): Promise<Said>;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

export interface ForkedOptions {
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly serialization?: SerializationType;
}

/** Milliseconds after which one that says nothing is ended: longer than any task takes. */
const PATIENCE_MS = 300_000;

/** Runs a module in a process of its own. `next` rejects where it ends first, or is ended because it says nothing. */
export function forkModule(module: URL | string, options: ForkedOptions = {}): Forked {
  const { args = [], nodeOptions = [], serialization = "json" } = options;
  const file = typeof module === "string" ? module : fileURLToPath(module);
  const child = fork(file, [...args], {
    execArgv: [...nodeOptions],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization,
  });
  let complaints = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = once(child, "exit");
  const next = async <Said>(): Promise<Said> => {
    const early = ended.then(([code, signal]) => {
      throw new Error(
        `${basename(file)} ended with ${code ?? signal} before it said anything: ${complaints}`,
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
  const ask = <Said>(order: unknown): Promise<Said> => {
    const answer = next<Said>();
    child.send(order as object, () => undefined); // one that cannot hear has ended, and `next` tells so
    return answer;
  };
  return { process: child, next, ask, ended };
}
