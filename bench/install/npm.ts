import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Milliseconds after which npm is given up. */
const PATIENCE_MS = 180_000;

/**
 * Runs npm in a folder, quickly content where there is no registry, and gives what it printed.
 *
 * @throws {Error} with what it complained about.
 */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const quietly = [
    "--loglevel=error",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--fetch-retries=0",
    "--fetch-timeout=20000",
  ];
  const { stdout } = await run("npm", [...args, ...quietly], { cwd: folder, timeout: PATIENCE_MS });
  return stdout;
}
