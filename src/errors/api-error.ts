import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError, type PaymentsErrorCode } from "./payments-error.ts";

/** What an error keeps of the answer that caused it; secrets of the call are already struck out. */
export interface ErrorAnswer {
  /** HTTP status; 0 where a browser hides that of a redirect. */
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, at most 65,536 characters of it. */
  readonly body: string;
  readonly requestId?: string | undefined;
  /** Id of the transaction that exists although the answer says no. */
  readonly transactionId?: number | string | undefined;
}

/**
 * The service answered, and its answer says no. Base of the errors that stand for one status.
 *
 * As itself it means a 4xx without a class of its own, where `outcome` is `rejected` for 403, 405,
 * 411, 413 and 415 and `unknown` for the rest, or a 2xx whose body says `success: false`.
 *
 * The body outranks the status, on this class and on every one that extends it: if it holds the transaction of this
 * create, `outcome` is `created` and `transactionId` is its id; if it only shows that there may be one, `unknown`.
 *
 * Spec: "Errors".
 *
 * @remarks
 * Read `status` and `body`, and do not send a create again where its `outcome` is `unknown` or `created`: wait for the postback,
 * or look the payment up in the dashboard of the service. Where it is `rejected`, mend the cause and send it again.
 */
export class ApiError extends PaymentsError {
  override readonly name: string = "ApiError";
  readonly code: PaymentsErrorCode = "api_error";
  /** HTTP status of the answer; 0 where a browser hides that of a redirect. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: Headers;
  /** Body of the answer as text, secrets struck out, at most 65,536 characters. */
  readonly body: string;
  /** The service's own name for the request, where a header carries one. Worth quoting to its support. */
  declare readonly requestId?: string;
  /** Id of the transaction, if the body holds it; `outcome` is then `created`. */
  declare readonly transactionId?: number | string;

  /** @hidden */
  constructor(message: string, answer: ErrorAnswer, context: ErrorContext, actor: Actor = "merchant") {
    super(message, actor, context);
    this.status = answer.status;
    this.headers = answer.headers;
    this.body = answer.body;
    if (answer.requestId !== undefined) this.requestId = answer.requestId;
    if (answer.transactionId !== undefined) this.transactionId = answer.transactionId;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      ...(this.requestId !== undefined && { requestId: this.requestId }),
      ...(this.transactionId !== undefined && { transactionId: this.transactionId }),
    };
  }
}
