import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./tool.ts";

/** A process that goes on until it is ended. */
export interface Running {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once it has printed something; rejects where it ends without. */
  printed(text: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Reads no more of what it prints. */
  stopReading(): void;
  /** How it ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Ends it, and what it started, whatever state it is in. */
  kill(): void;
}

/** Starts a process that must not outlive its test: `onTestFinished(running.kill)`. */
export function run(command: string, args: readonly string[], cwd: string = root): Running {
  const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  // A group of its own: npx does not pass on every signal to what it starts.
  const child = spawn(command, args, { cwd, env: { ...process.env, PATH }, detached: true });
  const kill = () => killGroup(child);
  process.once("exit", kill);

  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      resolve(code ?? signal);
    });
  });

  return {
    stdout: () => stdout,
    stderr: () => stderr,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = text.exec(stdout);
          if (found) resolve(found);
        };
        child.stdout.on("data", look);
        look();
        ended.then((end) => reject(new Error(`It ended with ${end}.\n${stdout}${stderr}`)), reject);
      }),
    signal: (name) => void child.kill(name),
    stopReading: () => void child.stdout.destroy(),
    ended,
    kill,
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
