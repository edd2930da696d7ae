import { type Issue, listIssues } from "./issue.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * A postback cannot be read or does not match the specification.
 *
 * Spec: "Postback notification".
 *
 * @remarks
 * Respond with 400 and ignore the postback; `createPostbackHandler` does so automatically.
 */
export class InvalidPostbackError extends PaymentsError {
  override readonly name = "InvalidPostbackError";
  readonly code = "invalid_postback";
  /** What is wrong, field by field. */
  readonly issues: readonly Issue[];
  readonly #raw: unknown;

  /** @hidden */
  constructor(issues: readonly Issue[], raw: unknown) {
    const message = `The postback does not match the specification: ${listIssues(issues)}.`;
    super(message, "service", { outcome: "not_applicable" });
    this.issues = issues;
    this.#raw = raw;
  }

  /** The postback as received. Not enumerable and not shown by `util.inspect`, because anyone can send one. */
  get raw(): unknown {
    return this.#raw;
  }
}
