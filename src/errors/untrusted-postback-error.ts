import { PaymentsError } from "./payments-error.ts";

/**
 * Why a postback is not trusted.
 *
 * - `missing_signature`: the URL has none.
 * - `bad_signature`: it was not made with one of the keys, or was changed, cut or given twice.
 * - `expired`: it was good once.
 * - `other_order`: the postback names another order than the URL.
 * - `other_purpose`: it was made with one of the keys, for something else.
 * - `no_reference`: the postback names no order.
 */
export type UntrustedReason =
  | "missing_signature"
  | "bad_signature"
  | "expired"
  | "other_order"
  | "other_purpose"
  | "no_reference";

/**
 * A postback that carries no valid signature for its order.
 *
 * @remarks
 * Answer 401 and act on nothing in it; `createPostbackHandler` does so by itself. Where genuine ones are refused, compare the keys
 * of the signer, and look what a proxy does to the query of the URL.
 */
export class UntrustedPostbackError extends PaymentsError {
  override readonly name = "UntrustedPostbackError";
  readonly code = "untrusted_postback";
  /** Why it is not trusted. */
  readonly reason: UntrustedReason;

  /** @hidden */
  constructor(reason: UntrustedReason) {
    super(`The postback is not trusted (${reason}): answer 401 and act on nothing in it.`, "service", {
      outcome: "not_applicable",
    });
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}
