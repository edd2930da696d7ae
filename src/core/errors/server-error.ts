import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * The service, or something in front of it, failed (5xx or 408).
 *
 * It says nothing about the charge: the failure may have come after it. A create is never repeated
 * because of it.
 */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
  override readonly code = "server_error";

  constructor(answer: ErrorAnswer, context: ErrorContext) {
    super(`The service failed (${answer.status}).`, answer, context, "service");
  }
}
