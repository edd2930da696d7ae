import { writeSync } from "node:fs";

/** Writes a line synchronously: a kill leaves no time for more. */
export function print(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Blocks until this process is killed. */
function wait(): never {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("The process was not killed.");
}

export function die(moment: string): never {
  print(`dies ${moment}`);
  process.kill(process.pid, "SIGKILL");
  return wait();
}

/** Starts some work while another process kills this one, and does not continue after it. */
export async function dieDuring(moment: string, work: () => Promise<unknown>): Promise<never> {
  print(`dies ${moment}\nkill me`);
  await work().catch(() => undefined);
  return wait();
}
