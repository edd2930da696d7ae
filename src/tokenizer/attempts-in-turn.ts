import { type Attempt, type Attempts, AttemptTimeout } from "../core/attempts.ts";

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
      await within(count > retries ? leftMs : leftMs / 2, signal, attempt);
      return;
    } catch (error) {
      const patience = { longestMs: endsAt - performance.now(), atOnce: error instanceof AttemptTimeout };
      const delayMs = count > retries ? undefined : delayAfter(count, patience);
      if (delayMs === undefined) throw error;
      await wait(delayMs, signal);
    }
  }
};

async function within(ms: number, signal: AbortSignal | undefined, attempt: Attempt): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new AttemptTimeout()), ms);
  const stop = onAbort(signal, (reason) => controller.abort(reason));
  try {
    await attempt(controller.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

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

/** Tells of an abort, also of one that has happened already; gives what ends the telling. */
function onAbort(signal: AbortSignal | undefined, tell: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined;
  const listener = () => tell(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}
