import { ownCopy } from "../data/own.ts";
import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  type PartialResult,
  RateLimitError,
  RedirectError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "../errors/api-errors.ts";
import { type Issue, quoteIssues } from "../errors/issue.ts";
import type { Call } from "./call.ts";
import { parseIssues } from "./parse-issues.ts";
import type { RawResponse } from "./response.ts";
import { retryAfterMs } from "./retry.ts";

/** What a response to a create call shows about its transaction. */
export interface CreateResult {
  readonly outcome: "rejected" | "unknown" | "created";
  readonly transactionId: number | string | undefined;
}

/** Any other call creates nothing. */
const NO_TRANSACTION: CreateResult = { outcome: "unknown", transactionId: undefined };

/**
 * The error for a response outside 200 to 299. Spec: "Errors".
 *
 * @param issues - The problems that the service reports. Default: those in the body.
 */
export function errorForStatus(
  call: Call,
  response: RawResponse,
  { outcome, transactionId }: CreateResult = NO_TRANSACTION,
  issues: readonly Issue[] = issuesIn(call, response),
): ApiError {
  const { endpoint, redactor, config } = call;
  const context = call.context(outcome);
  const { status } = response;
  const kept = { ...response.toErrorResponse(redactor), transactionId };
  if (status < 400) return new RedirectError(kept, context);
  if (status >= 500 || status === 408) return new ServerError(kept, context);
  if (status === 401) {
    return new AuthenticationError(config.platform.describeUnauthorized(endpoint), kept, context);
  }
  if (status === 404) return new NotFoundError(kept, context);
  if (status === 429) return new RateLimitError(retryAfterMs(response.headers), kept, context);
  if (status === 400 || status === 422) {
    // The customer can correct a card, the merchant everything else.
    const actor = endpoint.name === "cardTokens.create" ? "customer" : "merchant";
    return new ValidationError(issues, kept, context, actor);
  }
  const detail = issues[0] === undefined ? "" : `: ${quoteIssues(issues)}`;
  return new ApiError(`The service refused the call (${status})${detail}.`, kept, context);
}

/** The issues that an error response names, redacted. */
export function issuesIn({ redactor }: Call, { text }: RawResponse): Issue[] {
  try {
    return parseIssues(JSON.parse(text), redactor);
  } catch {
    return []; // a page, for example
  }
}

/**
 * The error for a 2xx that cannot be used, or for a response to another order. Requests and responses may be out of
 * step on this connection, so it is closed: the next response could belong to this call.
 *
 * @param partial - Its transaction is already redacted.
 */
export function unexpectedResponse(
  call: Call,
  response: RawResponse,
  partial: PartialResult,
): UnexpectedResponseError {
  response.closeConnection?.();
  const { issues, transactionId, transaction } = ownCopy(partial, ["transactionId", "transaction"]);
  const context = call.context(transactionId === undefined ? "unknown" : "created");
  return new UnexpectedResponseError(
    response.toErrorResponse(call.redactor),
    { issues, transactionId, transaction },
    context,
  );
}

/** The error for a 2xx whose body, parsed, has `success: false`. */
export function errorForFailure(
  call: Call,
  response: RawResponse,
  body: unknown,
  transactionId?: number | string | undefined,
): ApiError {
  const issues = parseIssues(body, call.redactor);
  const detail = issues.length === 0 ? "" : `: ${quoteIssues(issues)}`;
  return new ApiError(
    `The service responded with ${response.status}, but with success: false${detail}.`,
    { ...response.toErrorResponse(call.redactor), transactionId },
    call.context(transactionId === undefined ? "unknown" : "created"),
    "service",
  );
}
