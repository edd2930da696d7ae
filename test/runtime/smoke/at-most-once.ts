import { type FetchLike, isPaymentsError, PaymentsClient } from "payments-sdk";
import { aPix } from "./orders.ts";
import { type Doubtful, equal, rejection, type Setting, type Way } from "./setting.ts";

/** Two: undici opens another connection while it puts the first one back, and finds both for the third create. */
const KEPT = ["kept-1", "kept-2"];

/**
 * A create is put on the wire once, also where the runtime would repeat it on its own. And what is `not_sent` was not
 * sent: a repetition that is refused must not speak for what went out before.
 *
 * @param fetch - Default: the platform's own.
 */
export async function atMostOnce({ client, service }: Setting, way: Way, fetch?: FetchLike): Promise<string> {
  const paymentsAt = (baseUrl: string) =>
    new PaymentsClient({ ...client, baseUrl, ...(fetch !== undefined && { fetch }) });
  const nameOf = ({ what, isKept }: Doubtful) => `a ${isKept ? "kept" : "new"} connection, ${what}`;

  const leaveInDoubt = async (one: Doubtful) => {
    const { transactions } = paymentsAt(one.url);
    for (const externalRef of one.isKept ? KEPT : []) await transactions.createPix(aPix(externalRef));
    const outcome = await outcomeOf(transactions.createPix(aPix("doubtful"), { timeout: 1_000 }));
    equal(outcome, "unknown", `the outcome by ${way} over ${nameOf(one)}`);
  };
  await Promise.all(service.doubtful[way].map(leaveInDoubt));

  const refused = await outcomeOf(paymentsAt(service.closedUrl).transactions.createPix(aPix("refused")));
  const untrusted = await outcomeOf(paymentsAt(service.untrustedUrl).transactions.createPix(aPix("unsafe")));

  // At the end: a repetition may come late.
  const came = await arrivals(service.arrivalsUrl);
  for (const one of service.doubtful[way]) {
    const connections = [...(came[one.url] ?? [])];
    const sent = one.isKept ? KEPT.length + 1 : 1;
    equal(connections.length, sent, `the arrivals of ${sent} creates by ${way} over ${nameOf(one)}`);
    const last = connections.pop() ?? 0;
    // Bun uses no connection again after a body that can be read once.
    const isKept = one.isKept && !(way === "fetch" && "Bun" in globalThis);
    equal(connections.includes(last), isKept, `whether a connection was kept for ${nameOf(one)}`);
  }
  equal(came[service.untrustedUrl]?.length, 0, `the arrivals by ${way} in spite of a wrong certificate`);
  return `by ${way} a refused connection is ${refused}, a wrong certificate ${untrusted}`;
}

async function outcomeOf(create: Promise<unknown>): Promise<string> {
  const error = await rejection(create);
  if (!isPaymentsError(error)) throw error;
  return error.outcome;
}

async function arrivals(url: string): Promise<Record<string, readonly number[]>> {
  return (await (await globalThis.fetch(url)).json()) as Record<string, readonly number[]>;
}
