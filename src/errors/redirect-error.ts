import { REDIRECT_STATUSES } from "../spec/answers.ts";
import { ApiError, type ErrorResponse } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service responded with a redirect. The SDK never follows redirects: that would send the body and the key again,
 * to another address.
 *
 * After 301, 307 and 308 the request was not processed (`rejected`); after any other redirect it may have been.
 *
 * @remarks
 * Set `baseUrl` to the final address, often https instead of http. If `outcome` is `unknown`, wait for the
 * postback or check the payment with the service.
 */
export class RedirectError extends ApiError {
  override readonly name = "RedirectError";
  override readonly code = "redirected";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    const status = response.status === 0 ? "" : ` (${response.status})`;
    const hint = REDIRECT_STATUSES.has(response.status)
      ? "Set `baseUrl` to the final address, often https instead of http."
      : "Check `baseUrl`: this is not a response to the call.";
    const message = `The service responded with a redirect${status}, which is never followed. ${hint}`;
    super(message, response, context);
  }
}
