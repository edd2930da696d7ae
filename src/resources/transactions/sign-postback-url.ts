import type { SignsPostbackUrls } from "../../contracts/postback-signer.ts";
import { Redactor } from "../../data/redactor.ts";
import { toWebUrl } from "../../data/texts.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";
import { ConfigurationError, InvalidRequestError } from "../../errors/usage-errors.ts";
import type { Call } from "../../http/call.ts";
import { withTimeout } from "../../http/timers.ts";
import type { ReadyRequest } from "./request.ts";

/**
 * Signs the postback URL of a request that has one.
 *
 * @throws {InvalidRequestError} if the signed URL is too long.
 * @throws {ConfigurationError} if the signer fails, or takes too long.
 * @throws {AbortedError} if the caller's signal is aborted.
 */
export async function signPostbackUrl(
  call: Call,
  ready: ReadyRequest,
  signer: SignsPostbackUrls,
): Promise<ReadyRequest> {
  const { postbackUrl: url, externalRef, amount, paymentMethod } = ready.request;
  if (url === undefined || externalRef === undefined) return ready;
  const { timeout: ms, signal } = call.options;
  call.hide([url]);
  call.throwIfAborted();
  try {
    const late = () => new Error(`sign() took longer than ${ms} ms`);
    const order = { externalRef, amount, paymentMethod };
    const signed: unknown = await withTimeout({ ms, createError: late, signal }, async () =>
      signer.sign(url, order),
    );
    const postbackUrl = toWebUrl(signed);
    if (postbackUrl === undefined) throw new TypeError("sign() did not return a URL");
    const request = { ...ready.request, postbackUrl };
    const wire = { ...ready.wire, postbackUrl };
    return { ...ready, request, wire, body: JSON.stringify(wire) };
  } catch (error) {
    call.throwIfAborted();
    const context = call.context("not_sent");
    const redactor = new Redactor([url]);
    if (isPaymentsError(error) && error.code === "invalid_request") {
      // Copies, because the error may belong to another call and contain its data.
      const issues = Array.from(error.issues ?? [], (issue) => ({
        field: redactor.text(String(issue?.field)),
        message: redactor.text(String(issue?.message)),
      }));
      throw new InvalidRequestError(issues, context);
    }
    const cause = sanitizeError(error, redactor);
    throw new ConfigurationError("postbackSigner could not sign the postback URL.", { ...context, cause });
  }
}
