import type { Call, HttpRequest } from "../http/call.ts";
import { emitResponse, exchange, prepareRequest } from "../http/exchange.ts";
import type { RawResponse } from "../http/response.ts";
import { planRetry } from "../http/retry.ts";
import { pause, TimeoutReached, withTimeoutSignal } from "../http/timers.ts";

/**
 * Sends a request from a page and retries it. The buyer is waiting, so the time limit applies to all attempts and
 * delays together. An attempt that may be retried gets half of the remaining time, so that an unresponsive connection
 * leaves time for another attempt.
 *
 * Without ky, which would use up more than half of the size limit for a page.
 */
export async function sendFromPage(call: Call, httpRequest: HttpRequest): Promise<RawResponse> {
  const request = prepareRequest(call, httpRequest);
  const { timeout, signal } = call.options;
  const endsAt = performance.now() + timeout;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt > call.config.maxRetries;
    const leftMs = endsAt - performance.now();
    const limit = { ms: isLast ? leftMs : leftMs / 2, signal };
    const startedAt = performance.now();
    let delayMs: number | undefined;
    try {
      const response = await withTimeoutSignal(limit, (attemptSignal) =>
        exchange(call, request, attempt, attemptSignal),
      );
      emitResponse(call, response, attempt, startedAt);
      delayMs = response.isOk
        ? undefined
        : planRetry(call, {
            attempt,
            response,
            isImmediate: false,
            longestDelayMs: endsAt - performance.now(),
          });
      if (delayMs === undefined) return response;
    } catch (error) {
      const isImmediate = error instanceof TimeoutReached; // it took long enough
      const longestDelayMs = endsAt - performance.now();
      delayMs = planRetry(call, { attempt, response: undefined, isImmediate, longestDelayMs });
      if (delayMs === undefined) throw error;
    }
    await pause(delayMs, signal);
  }
}
