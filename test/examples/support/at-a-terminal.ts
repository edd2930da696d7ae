import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ran, root } from "../../support/tool.ts";

/** All that the examples ask of a terminal is whether there is one. */
const TERMINAL =
  "data:text/javascript,process.stdin.isTTY=process.stdout.isTTY=true;process.stdout.columns=80";

/** What somebody sees, and what they type then. */
type Turn = readonly [seen: RegExp, typed: string];

/** Runs an example for somebody who sits at a terminal, to its end. */
export function runAtTerminal(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  turns: readonly Turn[],
): Promise<Ran> {
  const file = join(root, `examples/${name}.ts`);
  const child = spawn(process.execPath, ["--import", TERMINAL, file, ...args], {
    cwd: root,
    env: { ...env, NO_COLOR: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  let seen = 0;
  const left = [...turns];
  const look = () => {
    const [turn] = left;
    const all = stdout + stderr;
    if (turn === undefined || !turn[0].test(all.slice(seen))) return;
    seen = all.length;
    left.shift();
    if (left.length > 0) child.stdin.write(turn[1]);
    else child.stdin.end(turn[1]); // unlike a terminal, a pipe would keep the process
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    look();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (left.length > 0) reject(new Error(`It did not print ${left[0]?.[0]}.\n${stdout}${stderr}`));
      else resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}
