import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * Too many requests (429); nothing was charged.
 *
 * The specification limits only the status endpoint: 60 requests a minute and 300 an hour per IP.
 *
 * Spec: "Limits".
 *
 * @remarks
 * Wait for `retryAfterMs`, or a minute where it is missing, then send it again.
 */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  override readonly code = "rate_limited";
  /** Milliseconds until the service wants to hear from us again, from `Retry-After`; missing where that is. */
  declare readonly retryAfterMs?: number;

  /** @hidden */
  constructor(retryAfterMs: number | undefined, answer: ErrorAnswer, context: ErrorContext) {
    super(
      `Too many requests (429). ${advice(retryAfterMs)} before the next one.`,
      answer,
      context,
      "service",
    );
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
    };
  }
}

function advice(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return "Wait a minute";
  return retryAfterMs <= 1000 ? "Wait a second" : `Wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
}
