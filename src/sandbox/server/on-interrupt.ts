/// <reference types="node" />

/**
 * Terminals send a Ctrl-C to everything that runs in them, and npx passes on its own to what it started:
 * one key comes as two signals.
 */
const SAME_KEY_MS = 300;

type Signals = Pick<NodeJS.Process, "on">;

/** Calls `end` when the process is asked to end, and `endNow` when it is asked again because that takes long. */
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
