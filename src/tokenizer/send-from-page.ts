import type { Call, HttpRequest } from "../http/call.ts";
import type { RawResponse } from "../http/response.ts";
import { emitResponse, planRetry, prepareRequest, sendAttempt } from "../http/send.ts";
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
    const startedAt = performance.now();
    const leftMs = endsAt - startedAt;
    const ms = attempt > call.config.maxRetries ? leftMs : leftMs / 2;
    let response: RawResponse | undefined;
    let failure: unknown;
    try {
      response = await withTimeoutSignal({ ms, signal }, (limit) =>
        sendAttempt(call, request, attempt, limit),
      );
      emitResponse(call, response, attempt, startedAt);
      if (response.isOk) return response;
    } catch (error) {
      failure = error;
    }
    const isImmediate = failure instanceof TimeoutReached; // the attempt took long enough
    const longestDelayMs = endsAt - performance.now();
    const delayMs = planRetry(call, { attempt, response, isImmediate, longestDelayMs });
    if (delayMs !== undefined) await pause(delayMs, signal);
    else if (response !== undefined) return response;
    else throw failure;
  }
}
