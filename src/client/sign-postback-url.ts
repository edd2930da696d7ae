import { cleanCause } from "../core/clean-cause.ts";
import { AbortedError } from "../core/errors/aborted-error.ts";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { InvalidRequestError } from "../core/errors/invalid-request-error.ts";
import type { ErrorContext } from "../core/errors/outcome.ts";
import { isPaymentsError } from "../core/errors/payments-error.ts";
import { inTime } from "../core/in-time.ts";
import { Redactor } from "../core/redaction.ts";
import type { SignsPostbackUrls } from "../postbacks/signer-contract.ts";
import { isWebUrl } from "../schemas/web-url.ts";
import { endpoints } from "../spec/endpoints.ts";
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
  prepared: PreparedTransaction,
  signer: SignsPostbackUrls,
  patience: Patience,
): Promise<PreparedTransaction> {
  const { postbackUrl: url, externalRef, amount, paymentMethod } = prepared.request;
  if (url === undefined || externalRef === undefined) return prepared;
  const context: ErrorContext = {
    outcome: "not_sent",
    endpoint: endpoints.createTransaction.name,
    externalRef,
  };
  const isAborted = () => patience.signal?.aborted === true;
  if (isAborted()) throw new AbortedError(context);
  try {
    const { timeout: ms, signal } = patience;
    const late = () => new Error(`sign() took longer than ${ms} ms`);
    const order = { externalRef, amount, paymentMethod };
    const postbackUrl: unknown = await inTime({ ms, late, signal }, () => signer.sign(url, order));
    if (!isWebUrl(postbackUrl)) throw new TypeError("sign() gave no URL");
    const request = { ...prepared.request, postbackUrl };
    const wire = { ...prepared.wire, postbackUrl };
    return { ...prepared, request, wire, body: JSON.stringify(wire) };
  } catch (error) {
    if (isAborted()) throw new AbortedError(context);
    // Not by its class: the signer may come from another copy of the package.
    if (isPaymentsError(error) && error.code === "invalid_request") {
      throw new InvalidRequestError((error as InvalidRequestError).issues, context);
    }
    const cause = cleanCause(error, new Redactor([url]));
    throw new ConfigurationError("postbackSigner could not sign the postback URL.", { ...context, cause });
  }
}
