import { type FetchLike, isPaymentsError, PaymentsClient } from "payments-sdk";
import { aPix } from "./orders.ts";
import { type Doubtful, equal, rejection, type Setting, type Way } from "./setting.ts";

/** Two: undici opens another connection while it puts the first one back, and finds both for the third request. */
const KEPT = ["kept-1", "kept-2"];

/** Long enough for an uncaught error, which ends the process, to follow the error that the caller gets. */
const SETTLE_MS = 50;

/**
 * A create request that the service read and did not answer is `unknown`. The test counts the requests that arrived.
 *
 * @param fetch - Default: the platform's own.
 */
export async function atMostOnce({ client, service }: Setting, way: Way, fetch?: FetchLike): Promise<string> {
  const createAt = (baseUrl: string, externalRef: string, options = {}) =>
    new PaymentsClient({ ...client, baseUrl, ...(fetch !== undefined && { fetch }) }).transactions.createPix(
      aPix(externalRef),
      options,
    );

  const leaveInDoubt = async ({ url, what, isKept }: Doubtful) => {
    for (const externalRef of isKept ? KEPT : []) await createAt(url, externalRef);
    const outcome = await outcomeOf(createAt(url, "doubtful", { timeout: 1_000 }));
    equal(outcome, "unknown", `the outcome by ${way} over a ${isKept ? "kept" : "new"} connection, ${what}`);
  };
  await Promise.all(service.doubtful[way].map(leaveInDoubt));

  const refused = await outcomeOf(createAt(service.closedUrl, "refused"));
  const untrusted = await outcomeOf(createAt(service.untrustedUrl, "unsafe"));
  return `by ${way} a refused connection is ${refused}, a wrong certificate ${untrusted}`;
}

async function outcomeOf(create: Promise<unknown>): Promise<string> {
  const error = await rejection(create);
  if (!isPaymentsError(error)) throw error;
  return error.outcome;
}

/**
 * A create call that ends during the TLS handshake was not sent: there was no TLS session to send it over.
 *
 * @param fetch - Default: the platform's own.
 */
export async function endWithoutTlsSession(
  { client, service }: Setting,
  way: Way,
  fetch?: FetchLike,
): Promise<void> {
  const payments = (baseUrl: string) =>
    new PaymentsClient({ ...client, baseUrl, ...(fetch !== undefined && { fetch }) });
  const endAt = async (
    baseUrl: string,
    code: string,
    options: { signal?: AbortSignal; timeout?: number },
  ) => {
    const error = await rejection(payments(baseUrl).transactions.createPix(aPix("no-tls-session"), options));
    if (!isPaymentsError(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    equal(`${error.code}, ${error.outcome}`, `${code}, not_sent`, `by ${way}, without TLS: ${error.message}`);
  };

  for (const ms of [0, 1, 100]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    await endAt(service.silentUrl, "aborted", { signal: controller.signal });
  }
  await endAt(service.silentUrl, "timed_out", { timeout: 100 });
  await endAt(service.plainUrl, "connection_failed", {});
}
