import { ApiError, type ErrorResponse } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * Too many requests (429). No one was charged.
 *
 * The specification limits only the status endpoint: 60 requests per minute and 300 per hour per IP address.
 *
 * Spec: "Limits".
 *
 * @remarks
 * Wait `retryAfterMs`, then send the request again. If it is missing, wait a minute, or an hour if the hourly limit is
 * used up.
 */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  override readonly code = "rate_limited";
  /**
   * Milliseconds to wait before the next request, from the `Retry-After` header; missing without that header. At most
   * 2,147,483,647, the longest delay of `setTimeout`.
   */
  declare readonly retryAfterMs?: number;

  /** @hidden */
  constructor(retryAfterMs: number | undefined, response: ErrorResponse, context: ErrorContext) {
    const message = `Too many requests (429). ${toAdvice(retryAfterMs)} before the next one.`;
    super(message, response, context, "service");
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

function toAdvice(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return "Wait a minute, or an hour at the hourly limit,";
  return retryAfterMs <= 1000 ? "Wait a second" : `Wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
}
