import { type Issue, listIssues } from "./issue.ts";
import { NO_CALL, PaymentsError } from "./payments-error.ts";

/**
 * A postback cannot be read or does not match the specification.
 *
 * Spec: "Postback notification".
 *
 * @remarks
 * Respond with 400 and ignore the postback; `createPostbackHandler` does so automatically.
 */
export class InvalidPostbackError extends PaymentsError {
  override readonly name = "InvalidPostbackError";
  readonly code = "invalid_postback";
  /** What is wrong, field by field. */
  readonly issues: readonly Issue[];
  readonly #raw: unknown;

  /** @hidden */
  constructor(issues: readonly Issue[], raw: unknown) {
    super(`The postback does not match the specification: ${listIssues(issues)}.`, "service", NO_CALL);
    this.issues = issues;
    this.#raw = raw;
  }

  /** The postback as received. Not enumerable and not shown by `util.inspect`, because anyone can send one. */
  get raw(): unknown {
    return this.#raw;
  }
}

/**
 * Why a postback is not trusted.
 *
 * - `missing_signature`: the URL has no signature.
 * - `bad_signature`: the signature is changed, incomplete or repeated, or was not made with one of the keys.
 * - `expired`: the signature is valid, but has expired.
 * - `other_order`: the postback is about a different order from the one in the URL.
 * - `other_purpose`: the signature was made with one of the keys, but not for a postback URL.
 * - `no_reference`: the postback has no `externalRef`.
 */
export type UntrustedReason =
  | "missing_signature"
  | "bad_signature"
  | "expired"
  | "other_order"
  | "other_purpose"
  | "no_reference";

/**
 * A postback has no valid signature for its order.
 *
 * @remarks
 * Respond with 401 and ignore the postback; `createPostbackHandler` does so automatically. If genuine postbacks are
 * refused, compare the keys of the signer, and check whether a proxy changes the query of the URL.
 */
export class UntrustedPostbackError extends PaymentsError {
  override readonly name = "UntrustedPostbackError";
  readonly code = "untrusted_postback";
  /** Why the postback is not trusted. */
  readonly reason: UntrustedReason;

  /** @hidden */
  constructor(reason: UntrustedReason) {
    super(`The postback is not trusted (${reason}): respond with 401 and ignore it.`, "service", NO_CALL);
    this.reason = reason;
  }
}
