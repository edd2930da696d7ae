import { type Issue, listIssues } from "./issue.ts";
import { PaymentsError } from "./payments-error.ts";

/**
 * A postback that cannot be read, or is not what the specification shows. It is never guessed at.
 *
 * Spec: "Postback notification".
 *
 * @remarks
 * Answer 400 and act on nothing in it; `createPostbackHandler` does so by itself.
 */
export class InvalidPostbackError extends PaymentsError {
  override readonly name = "InvalidPostbackError";
  readonly code = "invalid_postback";
  /** What is wrong, field by field. */
  readonly issues: readonly Issue[];
  readonly #raw: unknown;

  /** @hidden */
  constructor(issues: readonly Issue[], raw: unknown) {
    super(`The postback is not what the specification shows: ${listIssues(issues)}.`, "service", {
      outcome: "not_applicable",
    });
    this.issues = issues;
    this.#raw = raw;
  }

  /** What came. Neither enumerable nor shown by `util.inspect`: it is somebody else's text. */
  get raw(): unknown {
    return this.#raw;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
