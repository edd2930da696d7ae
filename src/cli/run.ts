import { readFileSync, writeSync } from "node:fs";
import { main } from "./main.ts";

/** Runs the `payments` command in this process, and ends it. */
export async function run(argv: readonly string[], packageJson: URL): Promise<void> {
  const { env, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on("error", endOnClosedPipe);
  const { version } = JSON.parse(readFileSync(packageJson, "utf8")) as { version: string };

  const cwd = process.cwd();
  const streams = {
    stdout,
    stderr,
    // Node creates the stream when it is read, and few commands ask anything.
    get stdin() {
      return process.stdin;
    },
  };
  const exitCode = await main(Object.assign(streams, { argv, env, cwd, version, untilInterrupted }));
  process.exitCode = isPipeClosed ? 0 : exitCode;
}

const pipeClosed = Promise.withResolvers<void>();
let isPipeClosed = false;

/** Milliseconds for a command to close its store after nobody reads what it prints. */
const MAX_CLOSE_MS = 300;

/** A reader such as `head` has closed the pipe, or what was printed could not be written. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") {
    isPipeClosed = true;
    pipeClosed.resolve();
    setTimeout(() => process.exit(0), MAX_CLOSE_MS).unref();
    return;
  }
  writeSync(process.stderr.fd, `payments: The output cannot be written (${error.code}).\n`);
  process.exit(1);
}

function untilInterrupted(): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    onInterrupt(process, resolve, () => process.exit(130)); // as shells do: 128 and the number of SIGINT
  });
  return Promise.race([interrupted, pipeClosed.promise]);
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
