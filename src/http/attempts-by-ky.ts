import ky, { TimeoutError } from "ky";
import { type AttemptRules, type Attempts, AttemptTimeout } from "./attempts.ts";
import { onAbort } from "./on-abort.ts";

/** Attempts by ky. `timeout` is that of one attempt: a server that calls can wait for the next one. */
export const attemptsByKy: Attempts = async (rules, attempt) => {
  try {
    // ky gets neither body nor headers: its errors and clones then hold no card and no key.
    await ky(rules.url, {
      method: rules.method,
      timeout: rules.timeout,
      throwHttpErrors: false,
      ...(rules.signal !== undefined && { signal: rules.signal }),
      retry: retryBy(rules),
      fetch: async (input) => {
        const { signal } = input as Request;
        await Promise.race([attempt(signal), endOf(signal)]);
        return new Response(); // the answer is read by then, and nothing of ky's is used
      },
    });
  } catch (error) {
    throw error instanceof TimeoutError ? new AttemptTimeout() : error;
  }
};

/** Rejects at the end of a signal, also where a caller's `fetch` ignores it. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => onAbort(signal, reject));
}

function retryBy({ retries, delayAfter }: AttemptRules) {
  let delayMs = 0;
  return {
    limit: retries,
    methods: ["get" as const, "post" as const],
    shouldRetry: ({ retryCount }: { readonly retryCount: number }) => {
      const delay = delayAfter(retryCount);
      delayMs = delay ?? 0;
      return delay !== undefined;
    },
    delay: () => delayMs,
  };
}
