import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** Another process that has the file of a store open. */
export interface OtherProcess {
  /** The next line that its script printed with `say`. */
  said(): Promise<string>;
  /** Lets its script go on after `heard()`. */
  goOn(): void;
  /** Ends it with SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
}

const PRELUDE = `
  const { readSync, writeSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  const say = (text) => writeSync(1, text + "\\n");
  const heard = () => readSync(0, Buffer.alloc(1));
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
`;

/** Runs a script that has `database`, `say`, `heard` and `sleep`; it is killed when the test ends. */
export function startProcess(file: string, script: string): OtherProcess {
  const child = spawn(process.execPath, ["--no-warnings", "-e", PRELUDE + script, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async said() {
      const { value, done } = await lines.next();
      if (done) throw new Error("the process ended and said nothing");
      return value;
    },
    goOn: () => void child.stdin.write("."),
    kill,
  };
}

/** Holds the write lock of the file, from the moment this resolves. */
export async function lockFor(file: string, ms: number): Promise<OtherProcess> {
  const script = `database.exec("BEGIN IMMEDIATE"); say("locked"); sleep(${ms}); database.exec("COMMIT"); say("free")`;
  const other = startProcess(file, script);
  await other.said();
  return other;
}
