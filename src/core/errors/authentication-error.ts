import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service did not accept the keys (401); nothing was charged.
 *
 * ```http
 * HTTP/1.1 401 Unauthorized
 *
 * {"success":false,"message":"Unauthorized"}
 * ```
 *
 * Spec: "Authentication".
 */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
  override readonly code = "authentication_failed";

  constructor(hint: string, answer: ErrorAnswer, context: ErrorContext) {
    super(`The service refused the keys (401). ${hint}`, answer, context);
  }
}
