import { writeSync } from "node:fs";
import type { Moment } from "./plan.ts";

/** What a process says before it is killed: a kill leaves no time for more. */
export type LastWords =
  /** It kills itself. */
  | { readonly type: "dies"; readonly moment: Moment }
  /** It goes on until somebody kills it, which may be at any moment from now on. */
  | { readonly type: "kill me"; readonly moment: Moment }
  /** Its create has ended. */
  | { readonly type: "ended"; readonly outcome: string; readonly code: string };

/** A line in one write, which is out when this returns. */
export function say(words: LastWords): void {
  writeSync(1, `${JSON.stringify(words)}\n`);
}

export function heard(stdout: string): readonly LastWords[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LastWords);
}

export function die(moment: Moment): never {
  say({ type: "dies", moment });
  process.kill(process.pid, "SIGKILL");
  return wait();
}

/** Does some work while somebody is on the way to kill this process. It gets no further than the work. */
export async function dieDuring(moment: Moment, work: () => Promise<unknown>): Promise<never> {
  say({ type: "kill me", moment });
  await work().catch(() => undefined);
  return wait();
}

function wait(): never {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("Nobody wakes it.");
}
