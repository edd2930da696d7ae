import { ApiError, type ErrorResponse } from "./api-error.ts";
import { type Issue, quoteIssues } from "./issue.ts";
import type { Actor, ErrorContext } from "./outcome.ts";

/**
 * The service refused the request as invalid (400 or 422). No one was charged.
 *
 * ```http
 * HTTP/1.1 400 Bad Request
 *
 * {"success":false,"message":"Validation Error","errors":[{"field":"amount","message":"..."}]}
 * ```
 *
 * Spec: "Error bodies for transaction creation".
 *
 * @remarks
 * Fix what `issues` names, or read `body` if it is empty, then send the request again. If `actor` is `customer`, the card
 * data is wrong.
 */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  override readonly code = "validation_failed";
  /** The problems that the service reports; empty if the body lists none. */
  readonly issues: readonly Issue[];

  /** @hidden */
  constructor(issues: readonly Issue[], response: ErrorResponse, context: ErrorContext, actor?: Actor) {
    const detail = issues.length > 0 ? quoteIssues(issues) : "it gave no reason";
    super(`The service refused the request (${response.status}): ${detail}.`, response, context, actor);
    this.issues = issues;
  }
}
