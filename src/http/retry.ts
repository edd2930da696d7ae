import { isRetriableStatus } from "../spec/response-statuses.ts";
import type { Call } from "./call.ts";
import { LONGEST_TIMER_MS } from "./request-options.ts";
import type { RawResponse } from "./response.ts";

/** The longest `Retry-After` for which a read waits before it is retried, in milliseconds. */
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * Milliseconds that a read waits after the first 429 without `Retry-After`. Each further wait is twice as
 * long, up to {@link RETRY_AFTER_MAX_MS}. The stated limits count requests per minute and per hour, so a retry within a
 * second or two gets another 429; after two waits most of a minute is over, and the first fits in the default timeout.
 */
const RATE_LIMIT_DELAY_MS = 15_000;

/** Milliseconds of the timeout that a read leaves for the attempt after such a wait. */
const RATE_LIMIT_MARGIN_MS = 5_000;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** A failed attempt of a call that charges no one. */
export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** `undefined` if there was none. */
  readonly response: RawResponse | undefined;
  /** Whether to retry without a delay, because the attempt itself took long. */
  readonly isImmediate: boolean;
  /** Milliseconds that the delay may take. */
  readonly longestDelayMs: number;
}

/**
 * Decides whether a failed attempt is retried: if there was no response, and after 408, 429 and 5xx, up to `maxRetries`
 * times, after the delay that the service requests, otherwise one that doubles. A call that may charge is never
 * retried.
 *
 * @returns milliseconds until the next attempt; `undefined` if it is not retried.
 * @throws {AbortedError} if the caller's signal is aborted.
 */
export function planRetry(call: Call, failed: FailedAttempt): number | undefined {
  const { attempt, response, longestDelayMs } = failed;
  call.throwIfAborted();
  if (call.endpoint.charges || attempt > call.config.maxRetries) return undefined;
  if (response !== undefined && !isRetriableStatus(response.status)) return undefined;
  const delayMs = delayAfter(call, failed);
  if (delayMs === undefined || delayMs > longestDelayMs) return undefined;
  call.emit({ type: "retry", attempt, delayMs, ...(response !== undefined && { status: response.status }) });
  return delayMs;
}

/** Milliseconds until the next attempt; `undefined` if that is too long. */
function delayAfter(call: Call, { attempt, response, isImmediate }: FailedAttempt): number | undefined {
  if (isImmediate) return 0;
  const requestedMs = response && retryAfterMs(response.headers);
  if (response?.status !== 429) return retryDelayMs(attempt, requestedMs);
  if (requestedMs === undefined) return rateLimitDelayMs(call, attempt);
  // The end of the limit can be in the past by the clock of this machine.
  return retryDelayMs(attempt, Math.max(requestedMs, backoffMs(attempt)));
}

/**
 * Milliseconds to wait after a 429 without `Retry-After`, randomly lengthened by up to a quarter so that clients behind
 * one address do not retry at the same time; `undefined` if too little of the timeout would be left for the attempt.
 */
function rateLimitDelayMs({ options, elapsedMs }: Call, attempt: number): number | undefined {
  const least = RATE_LIMIT_DELAY_MS * 2 ** (attempt - 1);
  const atMost = (ms: number) => Math.min(RETRY_AFTER_MAX_MS, Math.round(ms));
  // On a server the timeout is that of one attempt, but a caller with a short one does not expect a long wait.
  const longest = atMost(least * 1.25) + RATE_LIMIT_MARGIN_MS;
  return longest > options.timeout - elapsedMs ? undefined : atMost(least * (1 + Math.random() / 4));
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

/**
 * Milliseconds to wait after a failed attempt: the delay that the service requests, otherwise {@link backoffMs}.
 * `undefined` if the service requests more than a minute.
 */
export function retryDelayMs(attempt: number, requestedMs: number | undefined): number | undefined {
  if (requestedMs === undefined) return backoffMs(attempt);
  return requestedMs > RETRY_AFTER_MAX_MS ? undefined : requestedMs;
}

/** Doubles with each attempt, randomly shortened by up to half so that clients do not retry at the same time. */
function backoffMs(attempt: number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + Math.random() / 2));
}
