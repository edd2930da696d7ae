import { type FetchLike, isPaymentsError, PaymentsClient } from "payments-sdk";
import { aPix } from "./orders.ts";
import { equal, rejection, type Setting, type Way } from "./setting.ts";

/** Long enough for an uncaught error, which ends the process, to follow the error that the caller gets. */
const SETTLE_MS = 50;

const TIMEOUT_MS = 100;

/**
 * A create call that ends during the TLS handshake was not sent: no TLS session existed to send it over.
 *
 * @param fetch - Default: the platform's own.
 */
export async function endWithoutTlsSession(
  { client, service }: Setting,
  way: Way,
  fetch?: FetchLike,
): Promise<void> {
  const { silentUrl, plainUrl } = service;
  const createAt = (baseUrl: string, options: { signal?: AbortSignal; timeout?: number }) => {
    const payments = new PaymentsClient({ ...client, baseUrl, ...(fetch !== undefined && { fetch }) });
    return payments.transactions.createPix(aPix("no-tls-session"), options);
  };

  for (const ms of [0, 1, 100]) {
    const controller = new AbortController();
    const create = createAt(silentUrl, { signal: controller.signal });
    setTimeout(() => controller.abort(), ms);
    await expectNotSent(create, "aborted", `an abort after ${ms} ms, by ${way}, during the TLS handshake`);
  }
  const late = createAt(silentUrl, { timeout: TIMEOUT_MS });
  await expectNotSent(late, "timed_out", `a timeout by ${way}, during the TLS handshake`);
  const plain = createAt(plainUrl, {});
  await expectNotSent(plain, "connection_failed", `https by ${way}, to a server that speaks http`);
}

async function expectNotSent(create: Promise<unknown>, code: string, what: string): Promise<void> {
  const error = await rejection(create);
  if (!isPaymentsError(error)) throw error;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  equal(`${error.code}, ${error.outcome}`, `${code}, not_sent`, `${what}: ${error.message}`);
}
