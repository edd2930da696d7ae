import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * Too many requests (429); nothing was charged.
 *
 * The specification limits only the status endpoint: 60 requests a minute and 300 an hour per IP.
 *
 * Spec: "Limits".
 */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  override readonly code = "rate_limited";
  /** Milliseconds until the service wants to hear from us again, from `Retry-After`. */
  declare readonly retryAfterMs?: number;

  constructor(retryAfterMs: number | undefined, answer: ErrorAnswer, context: ErrorContext) {
    const when =
      retryAfterMs === undefined
        ? "Wait a minute"
        : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1000))} seconds`;
    super(`Too many requests (429). ${when} before the next one.`, answer, context, "service");
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
    };
  }
}
