import { execFile } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** The exit code and the output of a tool. */
export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool of the project, by default in its root. Never rejects: the result has the exit code. */
export function tool(command: string, args: readonly string[], cwd: string = root): Promise<ToolResult> {
  const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, PATH, NO_COLOR: "1", FORCE_COLOR: undefined };
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
