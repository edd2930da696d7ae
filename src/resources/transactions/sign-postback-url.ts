import { Redactor } from "../../data/redactor.ts";
import { isWebUrl } from "../../data/url.ts";
import { ConfigurationError } from "../../errors/configuration-error.ts";
import { InvalidRequestError } from "../../errors/invalid-request-error.ts";
import type { Issue } from "../../errors/issue.ts";
import { isPaymentsError } from "../../errors/payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";
import { abortedError } from "../../http/aborted.ts";
import type { CallScope } from "../../http/call-scope.ts";
import { withTimeout } from "../../http/timers.ts";
import type { SignsPostbackUrls } from "../../postbacks/signer-contract.ts";
import type { PreparedTransaction } from "./prepare-transaction.ts";

/** How long signing may take. */
interface Patience {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The create with its postback URL signed. One without a URL stays as it is.
 *
 * @throws {InvalidRequestError} where the signed URL would be too long.
 * @throws {ConfigurationError} where the signer fails, or takes too long.
 * @throws {AbortedError} where the caller's signal ends it.
 */
export async function signPostbackUrl(
  scope: CallScope,
  prepared: PreparedTransaction,
  signer: SignsPostbackUrls,
  patience: Patience,
): Promise<PreparedTransaction> {
  const { postbackUrl: url, externalRef, amount, paymentMethod } = prepared.request;
  if (url === undefined || externalRef === undefined) return prepared;
  const context = scope.context("not_sent");
  const { timeout: ms, signal } = patience;
  const redactor = () => new Redactor([url]);
  const refuseIfAborted = () => {
    if (signal?.aborted === true) throw abortedError(signal, context, redactor());
  };
  refuseIfAborted();
  try {
    const late = () => new Error(`sign() took longer than ${ms} ms`);
    const order = { externalRef, amount, paymentMethod };
    const postbackUrl: unknown = await withTimeout({ ms, late, signal }, () => signer.sign(url, order));
    if (!isWebUrl(postbackUrl)) throw new TypeError("sign() gave no URL");
    const request = { ...prepared.request, postbackUrl };
    const wire = { ...prepared.wire, postbackUrl };
    return { ...prepared, request, wire, body: JSON.stringify(wire) };
  } catch (error) {
    refuseIfAborted();
    // Not by its class: the signer may come from another copy of the package.
    if (isPaymentsError(error) && error.code === "invalid_request") {
      throw new InvalidRequestError(issuesOf(error, redactor()), context);
    }
    const cause = sanitizeError(error, redactor());
    throw new ConfigurationError("postbackSigner could not sign the postback URL.", { ...context, cause });
  }
}

/** Copies: the error may be of another call, and hold what that one knows. */
function issuesOf(error: object, redactor: Redactor): Issue[] {
  const { issues } = error as Partial<InvalidRequestError>;
  if (!Array.isArray(issues)) return [];
  return issues.map((issue: unknown) => {
    const { field, message } = Object(issue) as Partial<Issue>;
    return { field: redactor.text(String(field)), message: redactor.text(String(message)) };
  });
}
