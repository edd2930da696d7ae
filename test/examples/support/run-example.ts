import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { type Running, run } from "../../support/running.ts";
import { type Ran, root } from "../../support/tool.ts";

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What comes from standard input, which then ends. Default: nothing. */
  readonly input?: string;
}

const fileOf = (name: string) => join(root, `examples/${name}.ts`);

/** Runs an example to its end, without a terminal and with no other environment than the given one. */
export function runExample(
  name: string,
  args: readonly string[] = [],
  { env = {}, input = "" }: Surroundings = {},
): Promise<Ran> {
  const options = { cwd: root, env, timeout: 30_000 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [fileOf(name), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** Starts an example that goes on until it is ended: `onTestFinished(running.kill)`. */
export function startExample(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Running {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  return run("env", ["-i", ...pairs, process.execPath, fileOf(name), ...args]);
}

/** The variables that name a service. */
export function envOf({
  baseUrl,
  secretKey,
  publicKey,
}: Pick<Sandbox, "baseUrl" | "secretKey" | "publicKey">): Record<string, string> {
  return { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_PUBLIC_KEY: publicKey };
}

/** What was printed with `--json`: a value a line, and nothing else. */
export function jsonLines(stdout: string): unknown[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
