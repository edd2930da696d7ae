import type { Transaction } from "../resources/transactions/transaction.ts";
import type { ErrorAnswer } from "./api-error.ts";
import { type Issue, listIssues } from "./issue.ts";
import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** What could still be read of an answer that cannot be used. */
export interface Salvage {
  readonly issues: readonly Issue[];
  readonly transactionId?: number | string | undefined;
  readonly transaction?: Transaction | undefined;
}

/**
 * The service answered 2xx, but with something that cannot be used; or the answer, whatever its status, belongs to
 * another order: its `externalId` is not the reference that was sent.
 *
 * A charge may exist: read `transactionId`, `transaction` and `body` before anything is sent again.
 * `outcome` is `created` where an id could be read.
 *
 * Spec: "Transaction (response envelope)".
 *
 * @remarks
 * Do not send a create again: look `transactionId` up in the dashboard of the service, or wait for the postback. Of any other call
 * read `issues`.
 */
export class UnexpectedResponseError extends PaymentsError {
  override readonly name = "UnexpectedResponseError";
  readonly code = "unexpected_response";
  /** HTTP status: 200 to 299, or any other one of an answer to another order. */
  readonly status: number;
  /** The body as text, secrets struck out, at most 65,536 characters. */
  readonly body: string;
  /** What is wrong with the answer. */
  readonly issues: readonly Issue[];
  /** The service's own name for the request, where a header carries one. Worth quoting to its support. */
  declare readonly requestId?: string;
  /** Id of the transaction; a string where it is beyond 2^53 - 1 and a number would be rounded. */
  declare readonly transactionId?: number | string;
  /** What was created, without its postback URL, where the answer says enough. */
  declare readonly transaction?: Transaction;

  /** @hidden */
  constructor(answer: ErrorAnswer, salvage: Salvage, context: ErrorContext, message?: string) {
    const detail = listIssues(salvage.issues);
    const unusable = `The service answered ${answer.status} with something that cannot be used: ${detail}.`;
    super(message ?? unusable, "service", context);
    this.status = answer.status;
    this.body = answer.body;
    this.issues = salvage.issues;
    if (answer.requestId !== undefined) this.requestId = answer.requestId;
    if (salvage.transactionId !== undefined) this.transactionId = salvage.transactionId;
    if (salvage.transaction !== undefined) this.transaction = salvage.transaction;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      issues: this.issues,
      ...(this.requestId !== undefined && { requestId: this.requestId }),
      ...(this.transactionId !== undefined && { transactionId: this.transactionId }),
    };
  }
}
