import { ApiError, type ErrorResponse } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service, or a proxy in front of it, failed (5xx or 408). The customer may have been charged: the failure may have
 * happened after the charge, so create calls are never retried.
 *
 * @remarks
 * Do not send a create call again: wait for the postback or check the payment with the service. Other calls were already
 * retried up to `maxRetries` times; call them again later.
 */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
  override readonly code = "server_error";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    super(`The service failed (${response.status}).`, response, context, "service");
  }
}
