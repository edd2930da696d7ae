import { exit, stdout } from "node:process";

/** Terminals send a Ctrl-C to all that runs in them, and npm passes on its own: one key comes as two signals. */
const SAME_KEY_MS = 300;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const; // what shells make of them: 128 and their number

/**
 * Does what ends an example when it is asked to end, and then ends it. Whoever asks again does not want to wait.
 *
 * @param stop - Lets an example that has no other end come to its own; `false` where it has one.
 * @param end - What has to be done before it is broken off.
 * @returns whether it was asked to.
 */
export function onInterrupt(stop: () => boolean, end: () => Promise<void>): () => boolean {
  let firstAt: number | undefined;
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, async () => {
      if (firstAt !== undefined) {
        if (Date.now() - firstAt > SAME_KEY_MS) exit(code);
        return;
      }
      firstAt = Date.now();
      if (stdout.isTTY) stdout.write("\n"); // after the ^C that terminals show
      if (stop()) return;
      process.exitCode = code; // also where nothing is left to wait for
      await end().catch(() => undefined);
      exit(code);
    });
  }
  return () => firstAt !== undefined;
}
