import { type Issue, listIssues } from "./issue.ts";
import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The parameters are wrong. Nothing was sent; every problem is in {@link InvalidRequestError.issues}.
 *
 * @remarks
 * Mend each field that `issues` names. Where the `actor` is the `customer`, it is the card that was typed: show them beside the
 * fields of the form.
 */
export class InvalidRequestError extends PaymentsError {
  override readonly name = "InvalidRequestError";
  readonly code = "invalid_request";
  /** All problems at once, with the service's own dotted paths. Never the values. */
  readonly issues: readonly Issue[];

  /** @hidden */
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
