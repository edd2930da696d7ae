import { ApiError, type ErrorAnswer } from "./api-error.ts";
import type { ErrorContext } from "./outcome.ts";

/**
 * There is no such path at the base URL (404); nothing was charged.
 *
 * On the seller endpoints the path itself may be the mistake, because the specification does not show
 * their prefix: see `sellersPath`.
 *
 * @remarks
 * Check `baseUrl`, which must not contain `/api/v1`; on the seller endpoints try another `sellersPath`.
 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  override readonly code = "not_found";

  /** @hidden */
  constructor(answer: ErrorAnswer, context: ErrorContext) {
    const hint = context.endpoint?.startsWith("sellers.")
      ? "The specification does not show where the sellers live: try another `sellersPath`, such as /api/v1/sellers."
      : "Check `baseUrl`: it must not contain /api/v1.";
    super(`The service has nothing at this address (404). ${hint}`, answer, context);
  }
}
