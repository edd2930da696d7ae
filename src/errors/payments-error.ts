import { ownProperty } from "../data/own-properties.ts";
import type { EndpointName } from "../spec/endpoints.ts";

/**
 * Whether a call charged the customer. An earlier call for the same order may have charged, too: see
 * `PaymentsError.mayHaveCharged`.
 *
 * - `not_sent`: the request was never sent; it charged no one.
 * - `rejected`: the service refused the request; it charged no one.
 * - `unknown`: the request was sent, but there was no usable response; the customer may have been charged.
 * - `created`: a transaction exists.
 * - `not_applicable`: the call does not create a transaction.
 */
export type Outcome = "not_sent" | "rejected" | "unknown" | "created" | "not_applicable";

/** Who can fix an error: the code that calls the SDK, the buyer, the network, or the service. */
export type Actor = "merchant" | "customer" | "network" | "service";

/** The call that an error is about. */
export interface ErrorContext {
  /** The call that creates the error. An error without it is never thrown by a call. */
  readonly call?: object | undefined;
  readonly outcome: Outcome;
  readonly endpoint?: EndpointName | undefined;
  readonly externalRef?: string | undefined;
  /** Host and port of the base URL. */
  readonly host?: string | undefined;
  readonly cause?: Error | undefined;
  /** Replaces the sentence about the charge that the message ends with. */
  readonly consequence?: string | undefined;
}

/** The context of an error outside any call. @internal */
export const NO_CALL: ErrorContext = { outcome: "not_applicable" };

/** The sentence about the charge that a message ends with. */
const CONSEQUENCES: Readonly<Record<Outcome, string>> = {
  not_sent: "Nothing was sent, so no one was charged.",
  rejected: "No one was charged.",
  unknown:
    "It is not known whether the customer was charged: do not send it again. Check it with the service (dashboard or support); a postback comes only if its status changes.",
  created: "The transaction exists: do not send it again.",
  not_applicable: "",
};

/** The sentence for a call that charged no one, while an earlier one for its order may have. @internal */
export const EARLIER_CHARGE = "An earlier call for this order may have charged the customer.";

/** A registered symbol, so that two copies of the package recognize each other's errors. @internal */
export const BRAND = Symbol.for("payments-sdk.error");

/**
 * The call that created an error, and its message without the sentence about the charge. Not properties of the error, so
 * that neither a copy nor other code can forge them.
 */
const origins = new WeakMap<PaymentsError, { call: object | undefined; problem: string }>();

/** What `toJSON()` contains: no body, headers or cause, and nothing that other code adds to an error. */
const JSON_FIELDS: readonly string[] = [
  ...["name", "code", "message", "outcome", "mayHaveCharged", "actor", "endpoint", "externalRef"],
  ...["status", "requestId", "transactionId", "issues", "retryAfterMs", "timeoutMs"],
  ...["reason", "refusedReason", "earlier", "state"],
];

/** Every `code` that a {@link PaymentsError} can have. */
export type PaymentsErrorCode =
  | "configuration"
  | "invalid_request"
  | "card_token_expired"
  | "validation_failed"
  | "authentication_failed"
  | "not_found"
  | "rate_limited"
  | "api_error"
  | "server_error"
  | "redirected"
  | "connection_failed"
  | "timed_out"
  | "aborted"
  | "unexpected_response"
  | "card_refused"
  | "pix_refused"
  | "idempotency_conflict"
  | "outcome_pending"
  | "idempotency_store_failed"
  | "environment_mismatch"
  | "invalid_postback"
  | "untrusted_postback";

/**
 * Base class of every error of this package.
 *
 * {@link PaymentsError.mayHaveCharged} states whether the customer may have been charged for the order, and
 * {@link PaymentsError.outcome} what this call did. No error contains a key, card data, a card token or a postback URL.
 * `cause` is always a redacted copy, because a transport's own error may contain the request with its key.
 *
 * ```ts
 * if (!isPaymentsError(error)) throw error;
 * show(error.mayHaveCharged ? "We are checking your payment." : "Nothing was charged. Please try again.");
 * ```
 *
 * @remarks
 * If `mayHaveCharged` is `true`, tell the customer not to pay again: wait for the postback, or check the payment with the
 * service: in its dashboard if that lists transactions, otherwise with its support. Otherwise fix the cause and send it
 * again. Each class explains how.
 */
export abstract class PaymentsError extends Error {
  /** Name of the class. It stays readable if a bundler shortens class names. */
  abstract override readonly name: string;
  /** Stable, unlike the message: use it in `switch` and in alerts. */
  abstract readonly code: PaymentsErrorCode;
  /** Whether this call charged the customer; `not_applicable` unless the call creates a transaction. */
  readonly outcome: Outcome;
  /**
   * Whether the customer may have been charged for this order, by this call or by an earlier one with the same
   * `externalRef`.
   *
   * Without `idempotency`, it describes this call: `true` if `outcome` is `unknown` or `created`, except for a refused
   * card. With it, a call that charged no one looks up earlier calls in the store, for at most two seconds. It is `true`
   * in doubt, so for each order while the store is down.
   */
  readonly mayHaveCharged: boolean;
  /** Who can fix it. */
  readonly actor: Actor;
  /** The call that failed, such as `transactions.create`. */
  declare readonly endpoint?: EndpointName;
  /** The merchant's reference of the order, if the call had one. */
  declare readonly externalRef?: string;

  /** @hidden */
  protected constructor(
    message: string,
    actor: Actor,
    context: ErrorContext,
    mayHaveCharged: boolean = context.outcome === "unknown" || context.outcome === "created",
  ) {
    const { call, outcome, cause, consequence = CONSEQUENCES[outcome] } = context;
    super(`${message} ${consequence}`.trimEnd(), cause === undefined ? undefined : { cause });
    this.outcome = outcome;
    this.mayHaveCharged = mayHaveCharged;
    this.actor = actor;
    if (context.endpoint !== undefined) this.endpoint = context.endpoint;
    if (context.externalRef !== undefined) this.externalRef = context.externalRef;
    origins.set(this, { call, problem: message });
  }

  /** The error as plain data for a structured log, without `stack`, `cause`, headers and body. */
  toJSON(): Record<string, unknown> {
    const fields = JSON_FIELDS.map((name) => [name, ownProperty(this, name)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** For the error of a call that charged no one, if an earlier call for its order may have. @internal */
export function addEarlierCharge(error: PaymentsError): void {
  const message = `${problemOf(error)} ${EARLIER_CHARGE}`;
  const before = error.message;
  Object.assign(error, { mayHaveCharged: true, message });
  try {
    const { stack } = error;
    if (stack !== undefined) error.stack = stack.replace(before, () => message);
  } catch {
    // A tool that replaces `Error.prepareStackTrace` may make a stack anything, or throw.
  }
}

/** Whether this call itself created the error. @internal */
export function isErrorOf(call: object, error: unknown): error is PaymentsError {
  return origins.get(error as PaymentsError)?.call === call;
}

/** The message without the sentence about the charge; empty for an error of another copy of the package. @internal */
export function problemOf(error: unknown): string {
  return origins.get(error as PaymentsError)?.problem ?? "";
}
