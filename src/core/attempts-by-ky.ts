import ky, { TimeoutError } from "ky";
import { type AttemptRules, type Attempts, AttemptTimeout } from "./attempts.ts";

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
      fetch: (input) => attempt((input as Request).signal),
    });
  } catch (error) {
    throw error instanceof TimeoutError ? new AttemptTimeout() : error;
  }
};

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
