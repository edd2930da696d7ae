import { UnexpectedResponseError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, type Reply, text } from "../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf } from "../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { NODE_TRANSPORT, TRANSPORTS } from "../support/transports.ts";

/** A proxy, a cache or a reused connection can deliver the response to another request. */

const OTHER = aCardData({ id: 9, externalId: "order-2", amount: 500 });
const ISSUES = [{ field: "data.externalId", message: expect.any(String) }];

describe.each(TRANSPORTS)("over $name", ({ startMerchant }) => {
  test.each<[string, Reply, object]>([
    ["in its envelope", created(OTHER), { code: "unexpected_response", issues: ISSUES }],
    ["without its envelope", json(201, OTHER), {}],
    ["truncated", text(201, JSON.stringify(envelope(OTHER)).slice(0, -2)), {}],
    ["with success: false", json(201, envelope(OTHER, { success: false })), {}],
  ])("a 201 with another order's externalId leaves this call unknown: %s", async (_how, reply, expected) => {
    const { payments } = await startMerchant(reply);

    const error = await failureOf(payments.transactions.createCard(aCardPayment()));

    expect(error).toMatchObject({ ...expected, outcome: "unknown", externalRef: "order-1" });
    expect(error).not.toHaveProperty("transactionId");
    expect(error).not.toHaveProperty("transaction");
  });
});

test.each<[string, string, unknown, boolean]>([
  ["order-1", "the same", "order-1", true],
  ["order-1", "missing", undefined, true],
  ["order-1", "empty", "", true],
  ["order-1", "a number, while the reference has letters", 7, true],
  ["order-1", "an object", {}, true],
  ["17", "the same digits as a number", 17, true],
  ["17", "other digits as a number", 18, false],
  ["order-1", "in another case", "ORDER-1", false],
])(
  "for reference %s, an externalId that is %s (%j) is accepted: %s",
  async (externalRef, _what, externalId, isAccepted) => {
    const { payments } = await startMerchant(created(aPixData({ externalId })));

    const call = payments.transactions.createPix(aPix({ externalRef }));

    if (isAccepted) expect(await call).toMatchObject({ id: 4021 });
    else expect(await failureOf(call)).toBeInstanceOf(UnexpectedResponseError);
  },
);

test("an amount other than the one sent is reported as drift and returned", async () => {
  const { payments, events } = await startMerchant(created(aPixData({ amount: 500 })));

  const transaction = await payments.transactions.createPix(aPix());

  expect(transaction.amount).toBe(500);
  expect(eventsOf(events, "drift")).toMatchObject([
    { field: "data.amount", message: "is not the requested amount" },
  ]);
});

test("nodeTransport does not reuse a connection that delivered the response to another order", async () => {
  const replies = [created(aPixData({ externalId: "order-2" })), created(aPixData())];
  const { payments, connections } = await NODE_TRANSPORT.startMerchant(replies);

  await failureOf(payments.transactions.createPix(aPix()));
  await payments.transactions.createPix(aPix());

  expect(connections()).toBe(2);
});
