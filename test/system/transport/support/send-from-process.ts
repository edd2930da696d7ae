import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = fileURLToPath(new URL("one-call.ts", import.meta.url));

/** What became of one request, sent by a process of its own with these variables. It ends by itself. */
export async function inAProcess(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, url], { env, timeout: 30_000 });
  return JSON.parse(stdout);
}
