import type {
  ApiError,
  AuthenticationError,
  CardRefusedError,
  NotFoundError,
  PixRefusedError,
  RateLimitError,
  RedirectError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "./api-errors.ts";
import type { AbortedError, ConnectionError, TimeoutError } from "./connection-errors.ts";
import type {
  IdempotencyConflictError,
  IdempotencyStoreError,
  OutcomePendingError,
} from "./idempotency-errors.ts";
import { BRAND } from "./payments-error.ts";
import type { InvalidPostbackError, UntrustedPostbackError } from "./postback-errors.ts";
import type {
  CardTokenExpiredError,
  ConfigurationError,
  EnvironmentMismatchError,
  InvalidRequestError,
} from "./usage-errors.ts";

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
 * Unlike `instanceof`, it also works if two copies of the package are installed.
 */
export function isPaymentsError(value: unknown): value is AnyPaymentsError {
  try {
    return value instanceof Error && BRAND in value;
  } catch {
    return false; // a proxy that throws
  }
}
