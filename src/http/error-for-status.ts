import { isRecord, ownProperty, withOwn, withoutPrototype } from "../data/own-properties.ts";
import type { Redactor } from "../data/redactor.ts";
import {
  ApiError,
  AuthenticationError,
  type ErrorResponse,
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
import type { RawResponse } from "./response.ts";
import { retryAfterMs } from "./retries.ts";

/** What a response to a create call shows about its transaction. */
export interface CreateResult {
  readonly outcome: "rejected" | "unknown" | "created";
  readonly transactionId: number | string | undefined;
}

/**
 * The error for a response outside 200 to 299. Spec: "Errors".
 *
 * @param issues - The problems that the service reports. Default: those in the body.
 */
export function errorForStatus(
  call: Call,
  response: RawResponse,
  { outcome, transactionId }: CreateResult = { outcome: "unknown", transactionId: undefined },
  issues: readonly Issue[] = issuesIn(call, response),
): ApiError {
  const { endpoint, config } = call;
  const context = call.context(outcome);
  const { status } = response;
  const kept = toErrorResponse(call, response, transactionId);
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

/** Maximum characters of a response body that an error keeps. */
const ERROR_BODY_MAX_CHARS = 65_536;

function toErrorResponse(
  { redactor }: Call,
  { status, headers, text, requestId }: RawResponse,
  transactionId?: number | string | undefined,
): ErrorResponse {
  return {
    status,
    headers: redactor.headers(headers),
    // Redacted with as much again behind it, so that no part of a secret remains at the edge.
    body: redactor.text(text.slice(0, 2 * ERROR_BODY_MAX_CHARS)).slice(0, ERROR_BODY_MAX_CHARS),
    requestId: requestId && redactor.text(requestId),
    transactionId,
  };
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
  const read = withOwn(partial, ["transactionId", "transaction"]);
  const context = call.context(read.transactionId === undefined ? "unknown" : "created");
  return new UnexpectedResponseError(toErrorResponse(call, response), read, context);
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
    toErrorResponse(call, response, transactionId),
    call.context(transactionId === undefined ? "unknown" : "created"),
    "service",
  );
}

const FIELD_NAMES: readonly string[] = ["field", "path", "param", "property", "parameter"];
const MESSAGE_NAMES = ["message", "msg", "detail", "description", "error", "reason", "title"];
const MAX_ISSUES = 100;
const MAX_MESSAGE_CHARS = 500;
/** Reading a hostile body more deeply could overflow the stack. */
const MAX_DEPTH = 8;

/**
 * The issues in the body of a 400, in each shape that gateways send: the specification's `errors: [{ field, message
 * }]`, a map of arrays, an array of texts, a `message` that is an array, an `error` that is an object.
 */
export function parseIssues(body: unknown, redactor: Redactor): Issue[] {
  if (!isRecord(body)) return [];
  const { errors, error, message } = withoutPrototype(body);
  const nested = isRecord(error) ? ownProperty(error, "errors") : undefined;
  for (const source of [errors, nested, error, message]) {
    const issues = collect(source, "");
    if (issues.length > 0) return issues.slice(0, MAX_ISSUES).map((issue) => clean(issue, redactor));
  }
  return [];
}

function collect(source: unknown, field: string, depth = 0): Issue[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof source === "string") return source.trim() === "" ? [] : [{ field, message: source }];
  if (Array.isArray(source))
    return source.slice(0, MAX_ISSUES).flatMap((entry) => collect(entry, field, depth + 1));
  if (!isRecord(source)) return [];
  const message = firstText(source, MESSAGE_NAMES);
  const ownField = fieldOf(source);
  if (message !== undefined) return [{ field: ownField ?? field, message }];
  if (ownField !== undefined) {
    // One field and its issues under another name, such as `constraints: { isInt: "..." }`.
    const texts = Object.entries(source).flatMap(([name, entry]) =>
      FIELD_NAMES.includes(name) ? [] : textsIn(entry, depth + 1),
    );
    return (texts.length > 0 ? texts : ["is not valid"]).map((text) => ({ field: ownField, message: text }));
  }
  // A map of field to issue, or to issues.
  return Object.entries(source).flatMap(([name, entry]) =>
    typeof entry === "string" || Array.isArray(entry)
      ? collect(entry, field === "" ? name : `${field}.${name}`, depth + 1)
      : [],
  );
}

function textsIn(source: unknown, depth: number): string[] {
  if (typeof source === "string") return source.trim() === "" ? [] : [source];
  if (depth > MAX_DEPTH || typeof source !== "object" || source === null) return [];
  return Object.values(source).flatMap((entry) => textsIn(entry, depth + 1));
}

function fieldOf(source: Record<string, unknown>): string | undefined {
  for (const name of FIELD_NAMES) {
    const value = ownProperty(source, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.filter((step) => typeof step !== "object").join(".");
  }
  return undefined;
}

/** The first of `names` that has a text in `source`. */
export function firstText(source: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = ownProperty(source, name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** Redacts a message with far more than the part that is kept, so that no part of a secret remains at its end. */
function clean({ field, message }: Issue, redactor: Redactor): Issue {
  const start = message.slice(0, 20 * MAX_MESSAGE_CHARS);
  return { field: redactor.text(field), message: redactor.text(start).slice(0, MAX_MESSAGE_CHARS) };
}
