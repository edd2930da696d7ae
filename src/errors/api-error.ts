import type { Actor, ErrorContext } from "./outcome.ts";
import { PaymentsError, type PaymentsErrorCode } from "./payments-error.ts";

/** The part of a response that an error keeps, already redacted. */
export interface ErrorResponse {
  /** HTTP status; 0 if a browser hides the status of a redirect. */
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, at most 65,536 characters. */
  readonly body: string;
  readonly requestId?: string | undefined;
  /** Id of the transaction, if one exists although the response is an error. */
  readonly transactionId?: number | string | undefined;
}

/**
 * The service responded with an error. Base class of the errors for one HTTP status.
 *
 * An error of this class itself is a 4xx without its own class, with `outcome` `rejected` for 403, 405, 411, 413 and 415
 * and `unknown` for the rest, or a 2xx whose body has `success: false`.
 *
 * The body takes precedence over the status, in subclasses too: if it contains the transaction of this create call,
 * `outcome` is `created` and `transactionId` is set; if it only shows that a transaction may exist, or could not be read
 * completely, `outcome` is `unknown`.
 *
 * Spec: "Errors".
 *
 * @remarks
 * Read `status` and `body`. If `outcome` is `rejected`, fix the cause and send the request again; if it is `unknown` or
 * `created`, wait for the postback or check the payment with the service.
 */
export class ApiError extends PaymentsError {
  override readonly name: string = "ApiError";
  readonly code: PaymentsErrorCode = "api_error";
  /** HTTP status of the response; 0 if a browser hides the status of a redirect. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Body of the response as text: redacted, at most 65,536 characters. */
  readonly body: string;
  /** The service's id of the request, if a response header has one. Give it to the service's support. */
  declare readonly requestId?: string;
  /** Id of the transaction, if the body contains it; `outcome` is then `created`. */
  declare readonly transactionId?: number | string;

  /** @hidden */
  constructor(message: string, response: ErrorResponse, context: ErrorContext, actor: Actor = "merchant") {
    super(message, actor, context);
    this.status = response.status;
    this.headers = response.headers;
    this.body = response.body;
    if (response.requestId !== undefined) this.requestId = response.requestId;
    if (response.transactionId !== undefined) this.transactionId = response.transactionId;
  }
}
