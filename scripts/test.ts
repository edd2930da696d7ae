// Runs all tests: npm test [-- <vitest's own arguments>]
//
// Passes on what vitest prints, and sees to it that the last line is always `N passed, N failed`: vitest's
// reporter writes that line, but a configuration that does not load, or a kill, ends vitest before it can.
import { spawn } from "node:child_process";

const CLOSING_LINE = /(?:^|\n)\d+ passed, \d+ failed\n$/;

// A pipe is no terminal: without this the colours of a person's terminal would be lost.
const env = { ...process.env, ...(process.stdout.isTTY && !process.env["NO_COLOR"] && { FORCE_COLOR: "1" }) };
const vitest = spawn("vitest", ["run", "--coverage", ...process.argv.slice(2)], {
  env,
  stdio: ["inherit", "pipe", "inherit"],
  timeout: 30 * 60_000, // a test that never yields cannot be ended by vitest's own time limits
  killSignal: "SIGKILL",
});

let end = "";
vitest.stdout.on("data", (chunk: Buffer) => {
  end = (end + chunk.toString("latin1")).slice(-100);
  process.stdout.write(chunk);
});
vitest.on("error", (error) => console.error(error.message));
vitest.on("close", (code) => {
  const closed = CLOSING_LINE.test(end);
  if (!closed) process.stdout.write("\n0 passed, 1 failed\n");
  process.exitCode = closed ? (code ?? 1) : 1;
});
