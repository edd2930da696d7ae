import { isRetriableStatus } from "../spec/response-statuses.ts";
import type { Call } from "./call.ts";
import type { RawResponse } from "./response.ts";
import { backoffMs, LONGEST_TIMER_MS } from "./timers.ts";

const RETRY_PAUSES = { firstMs: 500, longestMs: 8_000 };

/** The longest wait before a retry. A longer `Retry-After` ends the call. */
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * The first wait after a 429 without `Retry-After`; each further one is twice as long. The stated limits count requests
 * per minute and per hour, so a retry within a second or two gets another 429; after two waits most of a minute is over,
 * and the first fits in the default timeout.
 */
const RATE_LIMIT_DELAY_MS = 15_000;

/** Milliseconds of the timeout that are left for the attempt after such a wait. */
const RATE_LIMIT_MARGIN_MS = 5_000;

interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly response?: RawResponse | undefined;
  /** Whether to retry without a delay, because the attempt itself took long. */
  readonly isImmediate?: boolean;
  /** Milliseconds that the delay may take. Default: no limit. */
  readonly longestDelayMs?: number;
}

/**
 * Decides whether a failed attempt is retried: if there was no response, and after 408, 429 and 5xx, up to `maxRetries`
 * times, after the delay that the service requests, otherwise after a delay that doubles. A call that may charge is
 * never retried.
 *
 * @returns milliseconds until the next attempt; `undefined` if it is not retried.
 * @throws {AbortedError} if the caller's signal is aborted.
 */
export function planRetry(call: Call, failed: FailedAttempt): number | undefined {
  const { attempt, response, isImmediate = false, longestDelayMs = Number.POSITIVE_INFINITY } = failed;
  call.throwIfAborted();
  if (call.endpoint.charges || attempt > call.config.maxRetries) return undefined;
  if (response !== undefined && !isRetriableStatus(response.status)) return undefined;
  const requestedMs = response && retryAfterMs(response.headers);
  const delayMs = isImmediate ? 0 : delayAfter(call, attempt, response?.status === 429, requestedMs);
  if (delayMs === undefined || delayMs > longestDelayMs) return undefined;
  const requested = requestedMs === undefined ? {} : { retryAfterMs: requestedMs };
  call.emit({ type: "retry", attempt, delayMs, ...(response && { status: response.status }), ...requested });
  return delayMs;
}

/** Milliseconds until the next attempt; `undefined` if that is too long. */
function delayAfter(
  call: Call,
  attempt: number,
  isRateLimit: boolean,
  requestedMs: number | undefined,
): number | undefined {
  const ownMs = Math.round(backoffMs(attempt, RETRY_PAUSES));
  if (requestedMs !== undefined) {
    if (requestedMs > RETRY_AFTER_MAX_MS) return undefined;
    // The end of the limit can be in the past by the clock of this machine.
    return isRateLimit ? Math.max(requestedMs, ownMs) : requestedMs;
  }
  if (!isRateLimit) return ownMs;
  const shortestMs = RATE_LIMIT_DELAY_MS * 2 ** (attempt - 1);
  // Lengthened by up to a quarter, so that clients behind the same address do not retry at the same time.
  const delayMs = (share: number) => Math.min(RETRY_AFTER_MAX_MS, Math.round(shortestMs * (1 + share / 4)));
  // On a server each attempt has the whole timeout, but a caller with a short timeout does not expect a long wait.
  const isTooLong = delayMs(1) + RATE_LIMIT_MARGIN_MS > call.options.timeout - call.elapsedMs;
  return isTooLong ? undefined : delayMs(Math.random());
}

/** The name of a day, and a time: `Date.parse` also finds a date in "try 5". */
const HTTP_DATE = /^[a-z]+,? .+:/i;

/**
 * Milliseconds from `Retry-After`, which has seconds or a date; `undefined` if it is missing or invalid. At most the
 * longest delay of a timer, because `setTimeout` does not wait at all for a longer one.
 */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  let delay = Number.NaN;
  if (/^\d+(\.\d+)?$/.test(value)) delay = Math.ceil(Number(value) * 1000);
  else if (HTTP_DATE.test(value)) delay = Math.max(0, Date.parse(value) - now);
  return Number.isNaN(delay) ? undefined : Math.min(delay, LONGEST_TIMER_MS);
}
