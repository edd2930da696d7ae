import { RETRY_AFTER_MAX_MS } from "../spec/limits.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** An answer that is worth another try. It never leaves the pipeline. */
export class RetriableAnswer extends Error {}

/** Milliseconds that `Retry-After` asks for, in seconds or as a date; `undefined` where it asks nothing readable. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Milliseconds to wait after a failed attempt (1 for the first): what the service asked for, else a
 * delay that doubles, at a random point of its upper half so that clients do not come back together.
 * `undefined` where the service asks for more patience than a call should have.
 */
export function retryDelayMs(attempt: number, askedMs: number | undefined): number | undefined {
  if (askedMs !== undefined) return askedMs > RETRY_AFTER_MAX_MS ? undefined : askedMs;
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + Math.random() / 2));
}
