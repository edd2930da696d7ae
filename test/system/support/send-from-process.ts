import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = fileURLToPath(new URL("sends-requests.ts", import.meta.url));

/** Sends a request from a new process with these environment variables. Rejects if the process does not end. */
export async function sendFromProcess(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, url], { env, timeout: 30_000 });
  return JSON.parse(stdout);
}
