import { ApiError, type ErrorResponse } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The base URL has no such path (404). No one was charged.
 *
 * The specification does not show the path prefix of the seller endpoints, so `sellersPath` may be wrong there.
 *
 * @remarks
 * Check `baseUrl`, which must not contain `/api/v1`; on the seller endpoints, try another `sellersPath`.
 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  override readonly code = "not_found";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    const { endpoint } = context;
    const start = endpoint === "request" ? "Check `path` and" : "Check";
    const hint = endpoint?.startsWith("sellers.")
      ? "The specification does not show the path of the seller endpoints: try another `sellersPath`, such as /api/v1/sellers."
      : `${start} \`baseUrl\`, which must not contain /api/v1.`;
    super(`The service has nothing at this address (404). ${hint}`, response, context);
  }
}
