import { type FetchLike, isPaymentsError, PaymentsClient } from "payments-sdk";
import {
  type Environment,
  equal,
  rejection,
  type TransportName,
  type UncertainServer,
} from "./environment.ts";
import { aPix } from "./orders.ts";

/** Two: undici opens another connection while it returns the first one to its pool, and can use both for the third request. */
const KEPT = ["kept-1", "kept-2"];

/** Long enough for an uncaught error, which ends the process, to occur after the error that the caller gets. */
const SETTLE_MS = 50;

/** Makes a create call at a base URL. Without `fetch`, with the platform's own. */
const creator =
  ({ client }: Environment, fetch: FetchLike | undefined) =>
  (baseUrl: string, ref: string, options = {}) =>
    new PaymentsClient({ ...client, baseUrl, ...(fetch && { fetch }) }).transactions.createPix(
      aPix(ref),
      options,
    );

/** A create call whose request the service read without responding is `unknown`. The test counts the requests. */
export async function atMostOnce(
  environment: Environment,
  transport: TransportName,
  fetch?: FetchLike,
): Promise<string> {
  const { service } = environment;
  const createAt = creator(environment, fetch);
  const expectUnknown = async ({ url, ending, isKept }: UncertainServer) => {
    for (const externalRef of isKept ? KEPT : []) await createAt(url, externalRef);
    const outcome = await outcomeOf(createAt(url, "uncertain", { timeout: 1_000 }));
    const connection = `over a ${isKept ? "kept" : "new"} connection, ${ending}`;
    equal(outcome, "unknown", `the outcome with ${transport} ${connection}`);
  };
  await Promise.all(service.uncertain[transport].map(expectUnknown));

  const refused = await outcomeOf(createAt(service.closedUrl, "refused"));
  const untrusted = await outcomeOf(createAt(service.untrustedUrl, "unsafe"));
  return `with ${transport} a refused connection is ${refused}, a wrong certificate ${untrusted}`;
}

async function outcomeOf(create: Promise<unknown>): Promise<string> {
  const error = await rejection(create);
  if (!isPaymentsError(error)) throw error;
  return error.outcome;
}

/** A create call that ends during the TLS handshake was not sent: there was no TLS session to send it over. */
export async function endWithoutTlsSession(
  environment: Environment,
  transport: TransportName,
  fetch?: FetchLike,
): Promise<void> {
  const { service } = environment;
  const createAt = creator(environment, fetch);
  const expectNotSent = async (baseUrl: string, code: string, options: object) => {
    const error = await rejection(createAt(baseUrl, "no-tls-session", options));
    if (!isPaymentsError(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const description = `with ${transport}, without TLS: ${error.message}`;
    equal(`${error.code}, ${error.outcome}`, `${code}, not_sent`, description);
  };

  for (const ms of [0, 1, 100]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    await expectNotSent(service.silentUrl, "aborted", { signal: controller.signal });
  }
  await expectNotSent(service.silentUrl, "timed_out", { timeout: 100 });
  await expectNotSent(service.plainUrl, "connection_failed", {});
}
