import type { AbortedError } from "./aborted-error.ts";
import type { ApiError } from "./api-error.ts";
import type { AuthenticationError } from "./authentication-error.ts";
import type { CardRefusedError } from "./card-refused-error.ts";
import type { CardTokenExpiredError } from "./card-token-expired-error.ts";
import type { ConfigurationError } from "./configuration-error.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { EnvironmentMismatchError } from "./environment-mismatch-error.ts";
import type { IdempotencyConflictError } from "./idempotency-conflict-error.ts";
import type { IdempotencyStoreError } from "./idempotency-store-error.ts";
import type { InvalidPostbackError } from "./invalid-postback-error.ts";
import type { InvalidRequestError } from "./invalid-request-error.ts";
import type { NotFoundError } from "./not-found-error.ts";
import type { OutcomePendingError } from "./outcome-pending-error.ts";
import { BRAND } from "./payments-error.ts";
import type { PixRefusedError } from "./pix-refused-error.ts";
import type { RateLimitError } from "./rate-limit-error.ts";
import type { RedirectError } from "./redirect-error.ts";
import type { ServerError } from "./server-error.ts";
import type { TimeoutError } from "./timeout-error.ts";
import type { UnexpectedResponseError } from "./unexpected-response-error.ts";
import type { UntrustedPostbackError } from "./untrusted-postback-error.ts";
import type { ValidationError } from "./validation-error.ts";

/** Every error of this package, discriminated by `code`. {@link isPaymentsError} narrows to it. */
export type AnyPaymentsError =
  | (ApiError & { readonly code: "api_error" })
  | AbortedError
  | AuthenticationError
  | CardRefusedError
  | CardTokenExpiredError
  | ConfigurationError
  | ConnectionError
  | EnvironmentMismatchError
  | IdempotencyConflictError
  | IdempotencyStoreError
  | InvalidPostbackError
  | InvalidRequestError
  | NotFoundError
  | OutcomePendingError
  | PixRefusedError
  | RateLimitError
  | RedirectError
  | ServerError
  | TimeoutError
  | UnexpectedResponseError
  | UntrustedPostbackError
  | ValidationError;

/**
 * Whether a value is an error of this package. Narrows to all of its errors; `code` distinguishes them:
 *
 * ```ts
 * if (isPaymentsError(error) && error.code === "rate_limited") await wait(error.retryAfterMs ?? 60_000);
 * ```
 *
 * Unlike `instanceof`, it also works if two copies of the package are installed. An error of a copy that is so old that
 * its errors have no `mayHaveCharged` is not one: without it, code would assume that no one was charged.
 */
export function isPaymentsError(value: unknown): value is AnyPaymentsError {
  try {
    return value instanceof Error && BRAND in value && "mayHaveCharged" in value;
  } catch {
    return false; // a proxy that throws
  }
}
