import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service, or something in front of it, failed (5xx or 408).
 *
 * It says nothing about the charge: the failure may have come after it. A create is never repeated
 * because of it.
 *
 * @remarks
 * Do not send a create again: wait for the postback, or look the payment up in the dashboard of the service. Any other call was
 * tried again up to `maxRetries` times: try it later.
 */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
  override readonly code = "server_error";

  /** @hidden */
  constructor(answer: ErrorAnswer, context: ErrorContext) {
    super(`The service failed (${answer.status}).`, answer, context, "service");
  }
}
