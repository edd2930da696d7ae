import { REJECTED_STATUSES } from "../spec/answers.ts";
import { type Answer, forError } from "./answer.ts";
import { issuesOf } from "./body-issues.ts";
import type { Call } from "./call.ts";
import type { CallScope } from "./call-scope.ts";
import { ApiError } from "./errors/api-error.ts";
import { AuthenticationError } from "./errors/authentication-error.ts";
import { NotFoundError } from "./errors/not-found-error.ts";
import { RateLimitError } from "./errors/rate-limit-error.ts";
import { RedirectError } from "./errors/redirect-error.ts";
import { ServerError } from "./errors/server-error.ts";
import { ValidationError } from "./errors/validation-error.ts";
import { parseIfJson } from "./exact-json.ts";
import type { Redactor } from "./redaction.ts";
import { retryAfterMs } from "./retry.ts";

const ASKED_FOR_KEYS = "This call sends no key, yet the answer is 401: check the base URL.";

/**
 * The error that a status outside 200 to 299 stands for. The body outranks the status: if it holds the transaction,
 * there is one. Spec: "Errors".
 */
export function errorForStatus(
  answer: Answer,
  scope: CallScope,
  { transactionIdInRefusal, fieldOf }: Pick<Call<unknown>, "transactionIdInRefusal" | "fieldOf">,
  keysHint: string,
  redactor: Redactor,
): ApiError {
  const { endpoint } = scope;
  const { status } = answer;
  const transactionId = transactionIdInRefusal?.(answer.text);
  const outcome = REJECTED_STATUSES.has(status) ? "rejected" : "unknown";
  const context = scope.context(transactionId === undefined ? outcome : "created");
  const kept = { ...forError(answer, redactor), transactionId };
  if (status < 400) return new RedirectError(kept, context);
  if (status >= 500 || status === 408) return new ServerError(kept, context);
  if (status === 401) {
    const message =
      endpoint.auth === "none" ? ASKED_FOR_KEYS : `The service refused the keys (401). ${keysHint}`;
    return new AuthenticationError(message, kept, context);
  }
  if (status === 404) return new NotFoundError(kept, context);
  if (status === 429) return new RateLimitError(retryAfterMs(answer.headers), kept, context);
  const issues = issuesOf(parseIfJson(answer.text), redactor).map(({ field, message }) => ({
    field: fieldOf?.(field) ?? field,
    message,
  }));
  if (status === 400 || status === 422) {
    // Whoever typed the card can mend it; whoever wrote the code can mend the rest.
    const actor = endpoint.name === "cardTokens.create" ? "customer" : "merchant";
    return new ValidationError(issues, kept, context, actor);
  }
  const detail = issues[0] === undefined ? "" : `: ${issues[0].message}`;
  return new ApiError(`The service refused the call (${status})${detail}.`, kept, context);
}
