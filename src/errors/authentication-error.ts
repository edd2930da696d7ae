import { ApiError } from "./api-error.ts";

/**
 * The service did not accept the keys (401). No one was charged.
 *
 * ```http
 * HTTP/1.1 401 Unauthorized
 *
 * {"success":false,"message":"Unauthorized"}
 * ```
 *
 * Spec: "Authentication".
 *
 * @remarks
 * Check that the two keys are not swapped and that both belong to the account at `baseUrl`, then send the request again.
 */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
  override readonly code = "authentication_failed";
}
