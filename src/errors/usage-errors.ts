import { type Issue, listIssues } from "./issue.ts";
import { type Actor, type ErrorContext, NO_CALL, PaymentsError } from "./payments-error.ts";

/**
 * A setting of the SDK cannot work: a missing or swapped key, an invalid base URL, a secret key in a browser. No one was
 * charged: `outcome` is `not_sent` for a create call and for the options of a client, otherwise `not_applicable`. The
 * message contains no value, except the name of a SQLite file.
 *
 * @remarks
 * Fix the setting that the message names, in the code or in the environment variable.
 */
export class ConfigurationError extends PaymentsError {
  override readonly name = "ConfigurationError";
  readonly code = "configuration";

  /** @hidden */
  constructor(message: string, context: ErrorContext = NO_CALL) {
    super(message, "merchant", context);
  }
}

/**
 * The parameters are not valid. Nothing was sent; {@link InvalidRequestError.issues} lists every problem.
 *
 * @remarks
 * Fix each field that `issues` names. If `actor` is `customer`, the card data is wrong: show the issues next to the fields
 * of the form.
 */
export class InvalidRequestError extends PaymentsError {
  override readonly name = "InvalidRequestError";
  readonly code = "invalid_request";
  /** All problems, with the service's dotted paths. Never contains the values. */
  readonly issues: readonly Issue[];

  /** @hidden */
  constructor(issues: readonly Issue[], context: ErrorContext = NO_CALL, actor: Actor = "merchant") {
    super(`The request is not valid: ${listIssues(issues)}.`, actor, context);
    this.issues = issues;
  }
}

export interface TokenExpiry {
  readonly expiredAt: Date;
  /** `service`: the token itself says it. `machine`: five minutes after this machine received it. */
  readonly clock: "service" | "machine";
  /** When the token says that it was issued. */
  readonly issuedAt?: Date | undefined;
}

/**
 * The card token is older than its five minutes. Nothing was sent. A token that is text is compared with this machine's
 * clock, with a tolerance of a minute: the message has the times of both clocks.
 *
 * Spec: "POST /api/v1/transactions", rule 3.
 *
 * @remarks
 * Create a new token in the buyer's page and send the same order with it. If new tokens fail too, set the clock.
 */
export class CardTokenExpiredError extends PaymentsError {
  override readonly name = "CardTokenExpiredError";
  readonly code = "card_token_expired";
  /** When the token expired. */
  readonly expiredAt: Date;

  /** @hidden */
  constructor(expiry: TokenExpiry, context: ErrorContext = NO_CALL) {
    const message = `The card token has expired: tokens are valid for 5 minutes. ${describe(expiry)}`;
    super(message, "customer", context);
    this.expiredAt = expiry.expiredAt;
  }
}

function describe({ expiredAt, clock, issuedAt }: TokenExpiry): string {
  const expired = `expired at ${expiredAt.toISOString()} by`;
  if (clock === "machine") return `It ${expired} this machine's clock. Create a new one.`;
  const issued = issuedAt === undefined ? "" : `was issued at ${issuedAt.toISOString()} and `;
  const now = new Date().toISOString();
  return `It ${issued}${expired} the service's clock; this machine's clock shows ${now}. Create a new one. If that has expired too, the clocks differ.`;
}

/**
 * The service runs in a different environment from the one that `status.assertEnvironment` expects.
 *
 * Spec: "Versioning", rule 3.
 *
 * @remarks
 * Check `baseUrl` and the keys. Do not take payments until they belong to the expected environment.
 */
export class EnvironmentMismatchError extends PaymentsError {
  override readonly name = "EnvironmentMismatchError";
  readonly code = "environment_mismatch";
  /** The environment passed to `assertEnvironment`. */
  readonly expected: string;
  /** The environment that the service reports; missing if it reports none. */
  declare readonly actual?: string;

  /** @hidden */
  constructor(expected: string, actual: string | undefined, context: ErrorContext) {
    const reported = `Expected the ${expected} environment, but the service reports ${actual ?? "none"}.`;
    super(`${reported} Check \`baseUrl\` and the keys.`, "merchant", context);
    this.expected = expected;
    if (actual !== undefined) this.actual = actual;
  }
}
