import { ApiError } from "./api-error.ts";

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
 *
 * @remarks
 * Check that each key is in its own place, and that both belong to the account behind `baseUrl`. A repeat helps only then.
 */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
  override readonly code = "authentication_failed";
}
