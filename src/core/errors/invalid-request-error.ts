import { type Issue, listIssues } from "./issue.ts";
import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The parameters are wrong. Nothing was sent; every problem is in {@link InvalidRequestError.issues}.
 */
export class InvalidRequestError extends PaymentsError {
  override readonly name = "InvalidRequestError";
  readonly code = "invalid_request";
  /** All problems at once, with the service's own dotted paths. Never the values. */
  readonly issues: readonly Issue[];

  constructor(
    issues: readonly Issue[],
    context: ErrorContext = { outcome: "not_sent" },
    actor: Actor = "merchant",
  ) {
    super(`The request is not valid: ${listIssues(issues)}.`, actor, context);
    this.issues = issues;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
