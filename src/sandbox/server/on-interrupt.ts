/// <reference types="node" />

/**
 * A terminal sends the signal of Ctrl-C to every process in it, and npx forwards it to its child process: one key
 * press can cause two signals.
 */
const SAME_KEY_MS = 300;

type Signals = Pick<NodeJS.Process, "on">;

/** Calls `end` on the first SIGINT or SIGTERM, and `endNow` on another one while that is still running. */
export function onInterrupt(signals: Signals, end: () => void, endNow: () => void): void {
  let firstAt: number | undefined;

  const interrupted = () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      end();
    } else if (Date.now() - firstAt > SAME_KEY_MS) {
      endNow();
    }
  };
  signals.on("SIGINT", interrupted).on("SIGTERM", interrupted);
}
