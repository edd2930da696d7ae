import { execFile } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** How a tool ended, and what it printed. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool of the project, by default in its root. Whatever becomes of it, the answer says how it ended. */
export function tool(command: string, args: readonly string[], cwd: string = root): Promise<Ran> {
  const PATH = `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, PATH, NO_COLOR: "1", FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      // Without a number it was killed, or could not be started at all.
      else resolve({ code: Number(error.code) || 1, stdout, stderr: stderr || error.message });
    });
  });
}

/** A script of package.json, without npm's own words. */
export const script = (name: string, ...args: readonly string[]): Promise<Ran> =>
  tool("npm", ["run", name, "--silent", "--", ...args]);
