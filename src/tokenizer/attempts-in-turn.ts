import { attemptOnce } from "../http/attempt-once.ts";
import { type Attempts, AttemptTimeout } from "../http/attempts.ts";
import { onAbort } from "../http/on-abort.ts";

/**
 * Attempts, one after the other, for a buyer who is waiting: `timeout` is that of all of them together, the
 * waits between them included. An attempt that others may follow gets half of the time that is left, so that a
 * connection which went dead leaves time for another one.
 *
 * ky would do most of this, and is more than half of what a page may have to load.
 */
export const attemptsInTurn: Attempts = async ({ timeout, signal, retries, delayAfter }, attempt) => {
  const endsAt = performance.now() + timeout;
  for (let count = 1; ; count += 1) {
    const leftMs = endsAt - performance.now();
    try {
      await attemptOnce({ timeout: count > retries ? leftMs : leftMs / 2, signal }, attempt);
      return;
    } catch (error) {
      const patience = { longestMs: endsAt - performance.now(), atOnce: error instanceof AttemptTimeout };
      const delayMs = count > retries ? undefined : delayAfter(count, patience);
      if (delayMs === undefined) throw error;
      await wait(delayMs, signal);
    }
  }
};

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, (reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}
