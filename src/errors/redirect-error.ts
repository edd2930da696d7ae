import { REDIRECT_STATUSES } from "../spec/answers.ts";
import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service answered with a redirect, which is never followed: that would send the body and the key
 * a second time, to somebody else.
 *
 * On 301, 307 and 308 the request was not acted upon (`rejected`); after any other it may have been.
 *
 * @remarks
 * Set `baseUrl` to the final address, often https instead of http, and do not send a create again where its `outcome` is
 * `unknown`: wait for the postback, or look the payment up in the dashboard of the service.
 */
export class RedirectError extends ApiError {
  override readonly name = "RedirectError";
  override readonly code = "redirected";

  /** @hidden */
  constructor(answer: ErrorAnswer, context: ErrorContext) {
    const status = answer.status === 0 ? "" : ` (${answer.status})`;
    const mend = REDIRECT_STATUSES.has(answer.status)
      ? "Set `baseUrl` to the final address, often https instead of http."
      : "Check `baseUrl`: this is no answer to the call.";
    super(`The service answered with a redirect${status}, which is never followed. ${mend}`, answer, context);
  }
}
