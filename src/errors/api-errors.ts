import type { RefusedCardTransaction, Transaction } from "../contracts/transaction.ts";
import { REDIRECT_STATUSES } from "../spec/response-statuses.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import { type Issue, listIssues, quoteIssues } from "./issue.ts";
import { type Actor, type ErrorContext, PaymentsError, type PaymentsErrorCode } from "./payments-error.ts";

/** The part of a response that an error keeps, redacted: see the fields of {@link ApiError}. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly requestId?: string | undefined;
  readonly transactionId?: number | string | undefined;
}

/**
 * The service responded with an error. Base class of the errors for one HTTP status. An error of this class itself is a
 * 4xx without its own class (`rejected` for 403, 405, 411, 413 and 415, otherwise `unknown`), or a 2xx whose body has
 * `success: false`.
 *
 * The body takes precedence over the status, in subclasses too: if it contains the transaction of this create call,
 * `outcome` is `created`; if a transaction may exist, or the body could not be read completely, it is `unknown`.
 *
 * Spec: "Errors".
 *
 * @remarks
 * If `outcome` is `rejected`, fix the cause and send the request again; if it is `unknown` or `created`, wait for the
 * postback or check the payment with the service.
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
 * @remarks
 * Check `baseUrl`, which must not contain `/api/v1`; on the seller endpoints, whose path the specification does not show,
 * try another `sellersPath`.
 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  override readonly code = "not_found";

  /** @hidden */
  constructor(response: ErrorResponse, context: ErrorContext) {
    const start = context.endpoint === "request" ? "Check `path` and" : "Check";
    const hint = context.endpoint?.startsWith("sellers.")
      ? "The specification does not show the path of the seller endpoints: try another `sellersPath`, such as /api/v1/sellers."
      : `${start} \`baseUrl\`, which must not contain /api/v1.`;
    super(`The service has nothing at this address (404). ${hint}`, response, context);
  }
}

/**
 * Too many requests (429). No one was charged. The specification limits only the status endpoint: 60 requests per minute
 * and 300 per hour per IP address.
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
  /** Milliseconds to wait, from the `Retry-After` header; missing without it. At most 2,147,483,647. */
  declare readonly retryAfterMs?: number;

  /** @hidden */
  constructor(retryAfterMs: number | undefined, response: ErrorResponse, context: ErrorContext) {
    const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
    const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
    const advice = seconds === undefined ? "a minute, or an hour at the hourly limit," : wait;
    super(`Too many requests (429). Wait ${advice} before the next one.`, response, context, "service");
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The service responded with a redirect, which is never followed: that would send the body and the key again, to another
 * address. After 301, 307 and 308 the request was not processed (`rejected`); after any other redirect it may have been.
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
    super(
      `The service responded with a redirect${status}, which is never followed. ${hint}`,
      response,
      context,
    );
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
 * The customer may have been charged; `outcome` is `created` if the response contains the id of the transaction.
 *
 * With `idempotency`, a create call also throws it for a pix whose code was lost, that another call has replaced, or that
 * was refused although a signed postback reported that it is paid.
 *
 * Spec: "Transaction (response envelope)".
 *
 * @remarks
 * Do not send a create call again: check `transactionId` with the service or wait for the postback. With `idempotency`,
 * repeating it is safe, and returns the code of a pix that replaced this one. For other calls, read `issues`.
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

/**
 * The card was declined and not charged. Only `assertNotRefused` throws it: `createCard` returns a declined card as a
 * result.
 *
 * Spec: "Errors", "Other rules", rule 1.
 *
 * @remarks
 * Ask the buyer for another card, or for pix, and create that payment with the same `externalRef`: it is the same order.
 * `mayHaveCharged` is `false`, which describes this card only, not what a store knows of the order.
 */
export class CardRefusedError extends PaymentsError {
  override readonly name = "CardRefusedError";
  readonly code = "card_refused";
  /** The service's reason, as readable text; `unspecified` if it sent none. */
  readonly refusedReason: string;
  /** Id of the refused transaction. */
  readonly transactionId: number;

  /** @hidden */
  constructor(transaction: RefusedCardTransaction, context: ErrorContext) {
    const consequence = "Ask the buyer for another card, or for pix: it is the same order.";
    const message = `The card was declined (${transaction.refusedReason}) and was not charged.`;
    super(message, "customer", { ...context, consequence }, false);
    this.refusedReason = transaction.refusedReason;
    this.transactionId = transaction.id;
  }
}

interface RefusedPix {
  readonly id: number;
  readonly status: TransactionStatus;
  readonly refusedReason?: string | undefined;
}

/**
 * The service responded with 2xx, but the pix is `refused`, `expired` or `cancelled` and has neither a code nor a
 * picture. No one can pay it, so no one was charged.
 *
 * Spec: "States and transitions", which lists `refused` for cards only.
 *
 * @remarks
 * If `mayHaveCharged` is `false`, offer another way to pay, or fix the cause, such as an amount outside the company's
 * limits, and create the payment again with the same `externalRef`: it is the same order.
 */
export class PixRefusedError extends PaymentsError {
  override readonly name = "PixRefusedError";
  readonly code = "pix_refused";
  /** Id of the refused transaction. */
  readonly transactionId: number;
  /** `refused`, `expired` or `cancelled`. */
  readonly status: TransactionStatus;
  /** The service's reason, as readable text; `unspecified` if it sent none. */
  readonly refusedReason: string;

  /** @hidden */
  constructor({ id, status, refusedReason = "unspecified" }: RefusedPix, context: ErrorContext) {
    super(`The pix is ${status} (${refusedReason}) and has no code, so no one can pay it.`, "customer", {
      ...context,
      consequence: "Offer another way to pay, or create it again: it is the same order.",
    });
    this.transactionId = id;
    this.status = status;
    this.refusedReason = refusedReason;
  }
}
