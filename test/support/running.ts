import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./tool.ts";

/** A process that runs until it is stopped. */
export interface Running {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once the process has printed this text; rejects if it ends without it. */
  printed(text: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Stops reading its output. */
  stopReading(): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Kills the process and its children, in any state. */
  kill(): void;
}

/** Starts a process that must not outlive its test: `onTestFinished(running.kill)`. */
export function run(command: string, args: readonly string[], cwd: string = root): Running {
  const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  // A separate process group: npx does not pass every signal on to its child.
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
    // The whole group has ended already.
  }
}
