import { parseIfJson } from "../data/exact-json.ts";
import type { Redactor } from "../data/redactor.ts";
import { ApiError, type ErrorAnswer } from "../errors/api-error.ts";
import { AuthenticationError } from "../errors/authentication-error.ts";
import type { Issue } from "../errors/issue.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import type { ErrorContext } from "../errors/outcome.ts";
import { RateLimitError } from "../errors/rate-limit-error.ts";
import { RedirectError } from "../errors/redirect-error.ts";
import { ServerError } from "../errors/server-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";
import { ValidationError } from "../errors/validation-error.ts";
import { REJECTED_STATUSES } from "../spec/answers.ts";
import type { Call } from "./call.ts";
import type { CallScope } from "./call-scope.ts";
import { issuesOf } from "./parse-issues.ts";
import { type Answer, forError } from "./response.ts";
import { retryAfterMs } from "./retry.ts";

const ASKED_FOR_KEYS = "This call sends no key, yet the answer is 401: check the base URL.";

/**
 * The error for an answer outside 200 to 299. The body outranks the status: if it holds the transaction, there is one,
 * and if it holds another order's, the answer says nothing about this order. Spec: "Errors".
 */
export function errorForStatus(
  answer: Answer,
  scope: CallScope,
  { transactionInRefusal, fieldOf }: Pick<Call<unknown>, "transactionInRefusal" | "fieldOf">,
  keysHint: string,
  redactor: Redactor,
): ApiError | UnexpectedResponseError {
  const kept = forError(answer, redactor);
  const transaction = transactionInRefusal?.(answer.text);
  if (transaction?.problem !== undefined) {
    return new UnexpectedResponseError(kept, { issues: [transaction.problem] }, scope.context("unknown"));
  }
  // What a custom fetch was redirected to says nothing about the create that was redirected.
  const isRejected =
    REJECTED_STATUSES.has(answer.status) && transaction?.mayExist !== true && !answer.redirected;
  const byStatus = isRejected ? "rejected" : "unknown";
  const context = scope.context(transaction?.id === undefined ? byStatus : "created");
  const issues = () =>
    issuesOf(parseIfJson(answer.text), redactor).map(({ field, message }) => ({
      field: fieldOf?.(field) ?? field,
      message,
    }));
  return classFor(answer, scope, { ...kept, transactionId: transaction?.id }, context, issues, keysHint);
}

/** The class that a status has. */
function classFor(
  { status, headers }: Answer,
  { endpoint }: CallScope,
  kept: ErrorAnswer,
  context: ErrorContext,
  issuesIn: () => Issue[],
  keysHint: string,
): ApiError {
  if (status < 400) return new RedirectError(kept, context);
  if (status >= 500 || status === 408) return new ServerError(kept, context);
  if (status === 401) {
    const message =
      endpoint.auth === "none" ? ASKED_FOR_KEYS : `The service refused the keys (401). ${keysHint}`;
    return new AuthenticationError(message, kept, context);
  }
  if (status === 404) return new NotFoundError(kept, context);
  if (status === 429) return new RateLimitError(retryAfterMs(headers), kept, context);
  const issues = issuesIn();
  if (status === 400 || status === 422) {
    // The customer can fix a card; the merchant can fix the rest.
    const actor = endpoint.name === "cardTokens.create" ? "customer" : "merchant";
    return new ValidationError(issues, kept, context, actor);
  }
  const detail = issues[0] === undefined ? "" : `: ${issues[0].message}`;
  return new ApiError(`The service refused the call (${status})${detail}.`, kept, context);
}
