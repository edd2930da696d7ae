import type { Transaction } from "../contracts/transaction.ts";
import { REDIRECT_STATUSES } from "../spec/response-statuses.ts";
import { type Issue, listIssues, quoteIssues } from "./issue.ts";
import { type Actor, type ErrorContext, PaymentsError, type PaymentsErrorCode } from "./payments-error.ts";

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

/**
 * The service did not accept the keys (401). No one was charged.
 *
 * ```http
 * HTTP/1.1 401 Unauthorized
 *
 * {"success":false,"message":"Unauthorized"}
 * ```
 *
 * Spec: "Authentication".
 *
 * @remarks
 * Check that the two keys are not swapped and that both belong to the account at `baseUrl`, then send the request again.
 */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
  override readonly code = "authentication_failed";
}

/**
 * The base URL has no such path (404). No one was charged.
 *
 * The specification does not show the path prefix of the seller endpoints, so `sellersPath` may be wrong there.
 *
 * @remarks
 * Check `baseUrl`, which must not contain `/api/v1`; on the seller endpoints, try another `sellersPath`.
 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  override readonly code = "not_found";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    const { endpoint } = context;
    const start = endpoint === "request" ? "Check `path` and" : "Check";
    const hint = endpoint?.startsWith("sellers.")
      ? "The specification does not show the path of the seller endpoints: try another `sellersPath`, such as /api/v1/sellers."
      : `${start} \`baseUrl\`, which must not contain /api/v1.`;
    super(`The service has nothing at this address (404). ${hint}`, response, context);
  }
}

/**
 * Too many requests (429). No one was charged.
 *
 * The specification limits only the status endpoint: 60 requests per minute and 300 per hour per IP address.
 *
 * Spec: "Limits".
 *
 * @remarks
 * Wait `retryAfterMs`, then send the request again. If it is missing, wait a minute, or an hour if the hourly limit is
 * used up.
 */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  override readonly code = "rate_limited";
  /**
   * Milliseconds to wait before the next request, from the `Retry-After` header; missing without that header. At most
   * 2,147,483,647, the longest delay of `setTimeout`.
   */
  declare readonly retryAfterMs?: number;

  /** @hidden */
  constructor(retryAfterMs: number | undefined, response: ErrorResponse, context: ErrorContext) {
    const message = `Too many requests (429). ${toAdvice(retryAfterMs)} before the next one.`;
    super(message, response, context, "service");
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

function toAdvice(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return "Wait a minute, or an hour at the hourly limit,";
  return retryAfterMs <= 1000 ? "Wait a second" : `Wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
}

/**
 * The service responded with a redirect. The SDK never follows redirects: that would send the body and the key again,
 * to another address.
 *
 * After 301, 307 and 308 the request was not processed (`rejected`); after any other redirect it may have been.
 *
 * @remarks
 * Set `baseUrl` to the final address, often https instead of http. If `outcome` is `unknown`, wait for the
 * postback or check the payment with the service.
 */
export class RedirectError extends ApiError {
  override readonly name = "RedirectError";
  override readonly code = "redirected";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    const status = response.status === 0 ? "" : ` (${response.status})`;
    const hint = REDIRECT_STATUSES.has(response.status)
      ? "Set `baseUrl` to the final address, often https instead of http."
      : "Check `baseUrl`: this is not a response to the call.";
    const message = `The service responded with a redirect${status}, which is never followed. ${hint}`;
    super(message, response, context);
  }
}

/**
 * The service, or a proxy in front of it, failed (5xx or 408). The customer may have been charged: the failure may have
 * happened after the charge, so create calls are never retried.
 *
 * @remarks
 * Do not send a create call again: wait for the postback or check the payment with the service. Other calls were already
 * retried up to `maxRetries` times; call them again later.
 */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
  override readonly code = "server_error";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    super(`The service failed (${response.status}).`, response, context, "service");
  }
}

/**
 * The service refused the request as invalid (400 or 422). No one was charged.
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
 * Fix what `issues` names, or read `body` if it is empty, then send the request again. If `actor` is `customer`, the card
 * data is wrong.
 */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  override readonly code = "validation_failed";
  /** The problems that the service reports; empty if the body lists none. */
  readonly issues: readonly Issue[];

  /** @hidden */
  constructor(issues: readonly Issue[], response: ErrorResponse, context: ErrorContext, actor?: Actor) {
    const detail = issues.length > 0 ? quoteIssues(issues) : "it gave no reason";
    super(`The service refused the request (${response.status}): ${detail}.`, response, context, actor);
    this.issues = issues;
  }
}

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
