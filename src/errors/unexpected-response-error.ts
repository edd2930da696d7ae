import type { Transaction } from "../resources/transactions/transaction.ts";
import type { ErrorResponse } from "./api-error.ts";
import { type Issue, listIssues } from "./issue.ts";
import type { ErrorContext } from "./outcome.ts";
import { PaymentsError } from "./payments-error.ts";

/** What could be read from an unusable response. */
export interface PartialResult {
  readonly issues: readonly Issue[];
  readonly transactionId?: number | string | undefined;
  readonly transaction?: Transaction | undefined;
}

/**
 * The service responded with 2xx, but the response cannot be used, or was cut off after the id of the transaction; or a
 * response of any status is about another order, because its `externalId` is not the reference that was sent.
 *
 * The customer may have been charged: check `transactionId`, `transaction` and `body` before sending anything again.
 * `outcome` is `created` if the response contains the id of the transaction.
 *
 * With `idempotency`, a create call also throws it for a pix whose code was lost, that another call has replaced, or that
 * was refused although a signed postback reported that it is paid.
 *
 * Spec: "Transaction (response envelope)".
 *
 * @remarks
 * Do not send a create call again: check `transactionId` with the service or wait for the postback. With
 * `idempotency`, repeating it is safe, and returns the code of a pix that replaced this one. For other calls, read
 * `issues`.
 */
export class UnexpectedResponseError extends PaymentsError {
  override readonly name = "UnexpectedResponseError";
  readonly code = "unexpected_response";
  /** HTTP status: 200 to 299, or any status if the response is about another order. */
  readonly status: number;
  /** Body of the response as text: redacted, at most 65,536 characters. */
  readonly body: string;
  /** What is wrong with the response. */
  readonly issues: readonly Issue[];
  /** The service's id of the request, if a response header has one. Give it to the service's support. */
  declare readonly requestId?: string;
  /** Id of the transaction; a string if it is larger than 2^53 - 1, because a number would be rounded. */
  declare readonly transactionId?: number | string;
  /** The created transaction without its postback URL, if the response contains enough of it. */
  declare readonly transaction?: Transaction;

  /** @hidden */
  constructor(response: ErrorResponse, partial: PartialResult, context: ErrorContext, message?: string) {
    const issues = listIssues(partial.issues);
    const unusable = `The service responded with ${response.status}, but the response cannot be used: ${issues}.`;
    super(message ?? unusable, "service", context);
    this.status = response.status;
    this.body = response.body;
    this.issues = partial.issues;
    if (response.requestId !== undefined) this.requestId = response.requestId;
    if (partial.transactionId !== undefined) this.transactionId = partial.transactionId;
    if (partial.transaction !== undefined) this.transaction = partial.transaction;
  }
}
