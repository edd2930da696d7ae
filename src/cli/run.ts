import { readFileSync, writeSync } from "node:fs";
import { t } from "./language.ts";
import { main } from "./main.ts";

/** Runs the `payments` command in this process, and ends it. */
export async function run(argv: readonly string[], packageJson: URL): Promise<void> {
  const { env, stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on("error", endOnClosedPipe);
  const { version } = JSON.parse(readFileSync(packageJson, "utf8")) as { version: string };

  const cwd = process.cwd();
  process.exitCode = await main({ argv, env, cwd, stdin, stdout, stderr, version, untilInterrupted });
}

/** A reader such as `head` has closed the pipe, or what was printed could not be written. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  const problem = t("The output cannot be written", "Não foi possível escrever a saída");
  writeSync(process.stderr.fd, `payments: ${problem} (${error.code}).\n`);
  process.exit(1);
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    onInterrupt(process, resolve, () => process.exit(130)); // as shells do: 128 and the number of SIGINT
  });
}

/**
 * A terminal sends the signal of Ctrl-C to every process in it, and npx forwards it to its child process: one key
 * press can cause two signals.
 */
const SAME_KEY_MS = 300;

/** Calls `end` on the first SIGINT or SIGTERM, and `endNow` on a later signal, if the process still runs. */
export function onInterrupt(signals: Pick<NodeJS.Process, "on">, end: () => void, endNow: () => void): void {
  let firstAt: number | undefined;

  const interrupted = () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      end();
    } else if (Date.now() - firstAt > SAME_KEY_MS) endNow();
  };
  signals.on("SIGINT", interrupted).on("SIGTERM", interrupted);
}
