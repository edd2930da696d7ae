import { CardTokenizer, type FetchLike, PaymentsClient, type PaymentsError } from "payments-sdk";
import type { FaultKind, Gateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { start } from "../sandbox/support/running.ts";
import { aCard, aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { NODE_TRANSPORT, PLATFORM_FETCH, TRANSPORTS } from "../support/transports.ts";

/** The client and the sandbox share nothing but HTTP, so the sandbox's charges verify the client's outcomes. */
async function openSandbox(fetch: FetchLike | undefined, options: object = {}) {
  const { baseUrl, secretKey, publicKey, gateway } = await start();
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, timeout: 5_000, fetch, ...options });
  return { gateway, payments };
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;
type Method = "pix" | "card";

/** A token created in the buyer's page, so that the merchant's server has no open connection yet. */
async function tokenFrom({ baseUrl, publicKey, fetch }: Gateway) {
  const inPage: FetchLike = (url, init) => fetch(new Request(url, init));
  return new CardTokenizer({ baseUrl, publicKey, fetch: inPage }).tokenize(aCard());
}

async function createWith(kind: FaultKind, method: Method, { gateway, payments }: Sandbox) {
  const card = method === "card" ? { hash: await tokenFrom(gateway) } : undefined;
  gateway.faults.add({ on: "transactions.create", kind });
  return card
    ? payments.transactions.createCard(aCardPayment({ card }))
    : payments.transactions.createPix(aPix());
}

const idsOf = (gateway: Gateway) => gateway.chargesFor("order-1").map(({ id }) => id);

describe.each(TRANSPORTS)("over $name, a create call", ({ fetch }) => {
  const method: Method = fetch === undefined ? "pix" : "card";

  test.each<[FaultKind, string, PaymentsError["outcome"], number]>([
    ["charged_then_reset", "ConnectionError", "unknown", 1],
    ["charged_then_500", "ServerError", "unknown", 1],
    ["redirect_307", "RedirectError", "rejected", 0],
    ["html_502", "ServerError", "unknown", 0],
    ["truncated_json", "UnexpectedResponseError", "created", 1],
    ["rate_limited", "RateLimitError", "rejected", 0],
    ["refused_connection", "ConnectionError", "not_sent", 0],
  ])("that meets %s fails with %s, outcome %s, and %i charge", async (kind, name, outcome, charges) => {
    const sandbox = await openSandbox(fetch);

    const error = await failureOf(createWith(kind, method, sandbox));

    expect(error).toMatchObject({ name, outcome, endpoint: "transactions.create", externalRef: "order-1" });
    const ids = idsOf(sandbox.gateway);
    expect(ids).toHaveLength(charges);
    if (outcome === "created") expect(ids).toEqual([Reflect.get(error, "transactionId")]);
  });

  test.each<[FaultKind, object]>([
    ["unknown_status", { status: "unrecognized", rawStatus: "PENDING_3DS" }],
    ["drifted_body", { status: method === "pix" ? "pending" : "approved" }],
  ])("that meets %s resolves, and is charged once", async (kind, expected) => {
    const sandbox = await openSandbox(fetch);

    const transaction = await createWith(kind, method, sandbox);

    expect(transaction).toMatchObject({ amount: 1990, ...expected });
    expect(idsOf(sandbox.gateway)).toEqual([transaction.id]);
  });
});

test.each<[FaultKind, Method, FetchLike | undefined]>([
  ["charged_then_stalled", "pix", NODE_TRANSPORT.fetch],
  ["stalled_body", "card", PLATFORM_FETCH.fetch],
])("a create call that meets %s times out with an unknown outcome", async (kind, method, fetch) => {
  const sandbox = await openSandbox(fetch, { timeout: 1_000 });

  const error = await failureOf(createWith(kind, method, sandbox));

  expect(error).toMatchObject({ name: "TimeoutError", code: "timed_out", outcome: "unknown" });
  expect(idsOf(sandbox.gateway)).toHaveLength(1);
});
