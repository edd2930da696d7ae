import { ApiError, type ErrorAnswer } from "./api-error.ts";
import { type Issue, listIssues } from "./issue.ts";
import type { Actor, ErrorContext } from "./outcome.ts";

/**
 * The service found the request invalid (400 or 422); nothing was charged.
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
 * Mend what `issues` names, then send it again; where it is empty, read `body`. Where the `actor` is the `customer`, it is the card
 * that was typed.
 */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  override readonly code = "validation_failed";
  /** What the service complained about; empty where its body names nothing. */
  readonly issues: readonly Issue[];

  /** @hidden */
  constructor(issues: readonly Issue[], answer: ErrorAnswer, context: ErrorContext, actor?: Actor) {
    const detail = issues.length > 0 ? listIssues(issues) : "it did not say what is wrong";
    super(`The service answered ${answer.status}: ${detail}.`, answer, context, actor);
    this.issues = issues;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
