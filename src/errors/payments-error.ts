import type { EndpointName } from "../spec/endpoints.ts";
import { type Actor, type ErrorContext, type Outcome, withConsequence } from "./outcome.ts";

/** Registered globally, so that two copies of the package know each other's errors. */
const BRAND = Symbol.for("payments-sdk.error");

/** Which call made an error. Kept apart from the error, so that no copy and no other code can claim it. */
const calls = new WeakMap<PaymentsError, object>();

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
  | "idempotency_conflict"
  | "outcome_pending"
  | "idempotency_store_failed"
  | "environment_mismatch"
  | "invalid_postback"
  | "untrusted_postback";

/**
 * Base of every error of this package.
 *
 * One rule is enough to stay safe: unless {@link PaymentsError.outcome} is `unknown` or `created`,
 * the call charged nobody. No error holds a key, card data, a card token or a postback URL, and none
 * has a transport's error as `cause`, because that holds the request and the request holds the key.
 *
 * The `@remarks` of each class say what to do.
 */
export abstract class PaymentsError extends Error {
  /** Name of the class; holds where a bundler has shortened that. */
  abstract override readonly name: string;
  /** Stable; safe to switch on and to alert on. */
  abstract readonly code: PaymentsErrorCode;
  /** What became of the charge. `not_applicable` on every call but a create. */
  readonly outcome: Outcome;
  /** Who can mend it. */
  readonly actor: Actor;
  /** The call that failed, such as `transactions.create`. */
  declare readonly endpoint?: EndpointName;
  /** The merchant's own reference of the order, where the call had one. */
  declare readonly externalRef?: string;

  /** @hidden */
  protected constructor(message: string, actor: Actor, context: ErrorContext) {
    super(
      withConsequence(message, context),
      context.cause === undefined ? undefined : { cause: context.cause },
    );
    this.outcome = context.outcome;
    this.actor = actor;
    if (context.endpoint !== undefined) this.endpoint = context.endpoint;
    if (context.externalRef !== undefined) this.externalRef = context.externalRef;
    if (context.call !== undefined) calls.set(this, context.call);
  }

  /** The error as plain data for a structured log: every field but `stack`, `cause` and a body. */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      outcome: this.outcome,
      actor: this.actor,
      ...(this.endpoint !== undefined && { endpoint: this.endpoint }),
      ...(this.externalRef !== undefined && { externalRef: this.externalRef }),
    };
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** Whether an error was made by a call, and not by another one. @internal */
export function isErrorOf(call: object, error: unknown): error is PaymentsError {
  return calls.get(error as PaymentsError) === call;
}

/**
 * Whether `value` is an error of this package. Unlike `instanceof` it also holds where two copies of
 * the package are installed.
 */
export function isPaymentsError(value: unknown): value is PaymentsError {
  try {
    return value instanceof Error && BRAND in value;
  } catch {
    return false; // a proxy that cannot be looked at
  }
}
