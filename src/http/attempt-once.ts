import { type Attempt, type AttemptRules, AttemptTimeout } from "./attempts.ts";
import { onAbort } from "./on-abort.ts";

/**
 * One attempt, and never another: nothing in here could repeat what may charge. Its end is that of its time or of the
 * caller's signal at the latest, whether or not what it waits for obeys.
 */
export async function attemptOnce(
  { timeout, signal }: Pick<AttemptRules, "timeout" | "signal">,
  attempt: Attempt,
): Promise<void> {
  const controller = new AbortController();
  let tidy = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (reason: unknown) => {
        controller.abort(reason);
        reject(reason);
      };
      const timer = setTimeout(() => end(new AttemptTimeout()), timeout);
      const stop = onAbort(signal, end);
      tidy = () => {
        clearTimeout(timer);
        stop();
      };
      // Not at once: whoever aborts in the same breath as they call has sent nothing.
      Promise.resolve(controller.signal).then(attempt).then(resolve, reject);
    });
  } finally {
    tidy();
  }
}
