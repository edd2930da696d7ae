import { type Issue, listIssues } from "./issue.ts";
import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * The parameters are not valid. Nothing was sent; {@link InvalidRequestError.issues} lists every problem.
 *
 * @remarks
 * Fix each field that `issues` names. If `actor` is `customer`, the card data is wrong: show the issues next to the fields
 * of the form.
 */
export class InvalidRequestError extends PaymentsError {
  override readonly name = "InvalidRequestError";
  readonly code = "invalid_request";
  /** All problems, with the service's dotted paths. Never contains the values. */
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
}
