import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";

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
export function run(
  command: string,
  args: readonly string[],
  cwd: string = root,
  variables: Readonly<Record<string, unknown>> = {},
): Running {
  // A separate process group: npx does not pass every signal on to its child.
  const texts = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  const env = { ...environment(), ...Object.fromEntries(texts) };
  const child = spawn(command, args, { cwd, env, detached: true });
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

export const root = join(import.meta.dirname, "../..");

/** The environment of a program: it finds the tools of the project, and the `payments` command is in English. */
const environment = () => ({
  ...process.env,
  LC_ALL: "C.UTF-8",
  PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
});

/** The exit code and the output of a tool. */
export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool of the project, by default in its root. Never rejects: the result has the exit code. */
export function tool(command: string, args: readonly string[], cwd: string = root): Promise<ToolResult> {
  const env = { ...environment(), NO_COLOR: "1", FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      // Without a number, it was killed or could not be started.
      else resolve({ code: Number(error.code) || 1, stdout, stderr: stderr || error.message });
    });
  });
}

/** Runs a script of package.json, without npm's own output. */
export const script = (name: string, ...args: readonly string[]): Promise<ToolResult> =>
  tool("npm", ["run", name, "--silent", "--", ...args]);

/** A free port on this machine, for programs that need a port number. Rejects if that one is in use. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
