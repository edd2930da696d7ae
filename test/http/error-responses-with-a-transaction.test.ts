import { describe, expect, test } from "vitest";
import { json, type Reply, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** The body outranks the status: a transaction in the body of an error response exists. */

const DATA = { id: 701, status: "approved", externalId: "order-1" };
const WITH_TRANSACTION = { success: true, data: DATA };

async function failureWith(reply: Reply) {
  const { payments } = merchantAt((await startServer(reply)).baseUrl);
  return failureOf(payments.transactions.createPix(aPix()));
}

test.each([301, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503])(
  "%d with the transaction in its body is created, with its id",
  async (status) => {
    const error = await failureWith(json(status, WITH_TRANSACTION));

    expect(error).toMatchObject({ outcome: "created", transactionId: 701, status, externalRef: "order-1" });
    expect(error.message).toContain("do not send it again");
    expect(error.toJSON()).toMatchObject({ transactionId: 701 });
  },
);

test.each([400, 500])("%d with a body that is truncated after the id is created", async (status) => {
  const error = await failureWith(text(status, '{"success":true,"data":{"id":701,"status":"appr'));

  expect(error).toMatchObject({ outcome: "created", transactionId: 701 });
});

describe("without a transaction of this call in the body, the status decides", () => {
  test.each<[string, unknown]>([
    ["an envelope without data", { success: false, message: "Validation Error", errors: [] }],
    ["data with an invalid id", { success: false, data: { id: "req-7f3a" } }],
    ["an error with its own id", { id: 12, status: "error", message: "Invalid amount" }],
  ])("%s", async (_what, body) => {
    const rejected = await failureWith(json(400, body));
    const unknown = await failureWith(json(500, body));

    expect([rejected.outcome, unknown.outcome]).toEqual(["rejected", "unknown"]);
    expect(rejected).not.toHaveProperty("transactionId");
    expect(unknown).not.toHaveProperty("transactionId");
  });
});

test("a transaction without its envelope is created", async () => {
  expect(await failureWith(json(400, { ...DATA, paymentMethod: "pix" }))).toMatchObject({
    outcome: "created",
    transactionId: 701,
  });
  expect(await failureWith(json(400, DATA))).toMatchObject({ outcome: "created", transactionId: 701 });
});

describe("an error response that indicates a transaction is unknown, not rejected", () => {
  test.each([
    ["an id that cannot be read", '{"success":true,"data":{"id":"3f2a-uuid","status":"approved"}}'],
    ["no id, but the reference", '{"success":false,"data":{"externalId":"order-1"}}'],
    ["success: true without data", '{"success":true,"message":"Transaction created"}'],
    ["a truncated body without an envelope", '{"id":7,"status":"pending","externalId":"order-1","amount":19'],
    ["a body truncated inside a list", '{"success":true,"data":[{"id":7,"externalId":"order-1","sta'],
    ["a transaction in another field", '{"transaction":{"id":7,"externalId":"order-1"}}'],
    ["a transaction as a JSON string", JSON.stringify({ data: '{"id":7,"externalId":"order-1"}' })],
  ])("%s", async (_what, body) => {
    const error = await failureWith(text(400, body));

    expect(error).toMatchObject({ outcome: "unknown" });
    expect(error).not.toHaveProperty("transactionId");
  });

  test("but created if it has the reference, a readable id and any status", async () => {
    const body = { id: 7, status: "PENDING_3DS", externalId: "order-1", amount: 1990 };

    expect(await failureWith(json(400, body))).toMatchObject({ outcome: "created", transactionId: 7 });
  });

  test("a transaction of another order without an envelope is unknown", async () => {
    const error = await failureWith(json(401, { id: 9, status: "PENDING_3DS", externalId: "order-2" }));

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
  });
});

test("an issue about the reference does not indicate a transaction", async () => {
  const errors = [{ field: "externalId", message: "is taken" }];

  expect(await failureWith(json(400, { success: false, errors }))).toMatchObject({ outcome: "rejected" });
});

test("a 401 after a redirect that a custom fetch followed is unknown, not rejected", async () => {
  const { payments, arrivals } = await startMerchant(
    [text(302, "", { location: "/elsewhere" }), json(401, { success: false })],
    {
      fetch: (url, init) => fetch(url, { ...init, redirect: "follow" }),
    },
  );

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(arrivals.map(({ method }) => method)).toEqual(["POST", "GET"]);
  expect(error).toMatchObject({ code: "authentication_failed", outcome: "unknown" });
});
