import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { json, type Reply, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";

/** The body outranks the status: whatever an answer says no with, a transaction in its body exists. */

const DATA = { id: 701, status: "approved", externalId: "order-1" };
const WITH_TRANSACTION = { success: true, data: DATA };

async function failureWith(reply: Reply) {
  const { payments } = merchantAt((await startServer(reply)).baseUrl);
  return failureOf(payments.transactions.createPix(aPix()));
}

test.each([301, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503])(
  "%d with the transaction in its body: created, with its id",
  async (status) => {
    const error = await failureWith(json(status, WITH_TRANSACTION));

    expect(error).toMatchObject({ outcome: "created", transactionId: 701, status, externalRef: "order-1" });
    expect(error.message).toContain("do not send it again");
    expect(error.toJSON()).toMatchObject({ transactionId: 701 });
  },
);

test.each([400, 500])("%d with a body that broke off behind the id: created", async (status) => {
  const error = await failureWith(text(status, '{"success":true,"data":{"id":701,"status":"appr'));

  expect(error).toMatchObject({ outcome: "created", transactionId: 701 });
});

describe("is no transaction of this call, so that the status decides", () => {
  test.each<[string, unknown]>([
    ["an envelope without data", { success: false, message: "Validation Error", errors: [] }],
    ["data whose id is none", { success: false, data: { id: "req-7f3a" } }],
    ["an error with an id of its own", { id: 12, status: "error", message: "Invalid amount" }],
  ])("%s", async (_what, body) => {
    const rejected = await failureWith(json(400, body));
    const unknown = await failureWith(json(500, body));

    expect([rejected.outcome, unknown.outcome]).toEqual(["rejected", "unknown"]);
    expect(rejected).not.toHaveProperty("transactionId");
    expect(unknown).not.toHaveProperty("transactionId");
  });
});

test("a transaction without its envelope is one", async () => {
  expect(await failureWith(json(400, { ...DATA, paymentMethod: "pix" }))).toMatchObject({
    outcome: "created",
    transactionId: 701,
  });
  expect(await failureWith(json(400, DATA))).toMatchObject({ outcome: "created", transactionId: 701 });
});

test("with a store, the reference is not free afterwards", async () => {
  const { baseUrl, arrivals } = await startServer(json(400, WITH_TRANSACTION));
  const { payments } = merchantAt(baseUrl, { idempotency: memoryStore() });
  await failureOf(payments.transactions.createPix(aPix()));

  const again = await failureOf(payments.transactions.createPix(aPix()));

  expect(again).toMatchObject({ outcome: "created", transactionId: 701 });
  expect(arrivals).toHaveLength(1);
});

test.each([400, 404, 500])(
  "%d with another order's transaction says nothing about this one: unknown, without an id",
  async (status) => {
    const whole = await failureWith(
      json(status, { success: true, data: { ...DATA, externalId: "order-2" } }),
    );
    const cut = await failureWith(text(status, '{"data":{"externalId":"order-2","id":701,"sta'));

    for (const error of [whole, cut]) {
      expect(error).toMatchObject({
        ...{ code: "unexpected_response", outcome: "unknown", status },
        issues: [{ field: "data.externalId" }],
      });
      expect(error).not.toHaveProperty("transactionId");
    }
  },
);

describe("an answer that says no and shows that there may be a transaction is unknown, not rejected", () => {
  test.each([
    ["an id that cannot be read", '{"success":true,"data":{"id":"3f2a-uuid","status":"approved"}}'],
    ["no id, but the reference", '{"success":false,"data":{"externalId":"order-1"}}'],
    ["success: true without data", '{"success":true,"message":"Transaction created"}'],
    ["broken off without its envelope", '{"id":7,"status":"pending","externalId":"order-1","amount":19'],
    ["broken off in a list", '{"success":true,"data":[{"id":7,"externalId":"order-1","sta'],
    ["inside another field", '{"transaction":{"id":7,"externalId":"order-1"}}'],
    ["as a text", JSON.stringify({ data: '{"id":7,"externalId":"order-1"}' })],
  ])("%s", async (_what, body) => {
    const error = await failureWith(text(400, body));

    expect(error).toMatchObject({ outcome: "unknown" });
    expect(error).not.toHaveProperty("transactionId");
  });

  test("and created, if the reference is there with a readable id and any status", async () => {
    const body = { id: 7, status: "PENDING_3DS", externalId: "order-1", amount: 1990 };

    expect(await failureWith(json(400, body))).toMatchObject({ outcome: "created", transactionId: 7 });
  });

  test("a bare transaction of another order is unknown, too", async () => {
    const error = await failureWith(json(401, { id: 9, status: "PENDING_3DS", externalId: "order-2" }));

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
  });
});

test("a complaint about the reference is no transaction", async () => {
  const errors = [{ field: "externalId", message: "is taken" }];

  expect(await failureWith(json(400, { success: false, errors }))).toMatchObject({ outcome: "rejected" });
});

test("what a custom fetch was redirected to does not reject the create", async () => {
  const { baseUrl, arrivals } = await startServer(
    text(302, "", { location: "/elsewhere" }),
    json(401, { success: false }),
  );
  const { payments } = merchantAt(baseUrl, {
    fetch: (url, init) => fetch(url, { ...init, redirect: "follow" }),
  });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(arrivals.map(({ method }) => method)).toEqual(["POST", "GET"]);
  expect(error).toMatchObject({ code: "authentication_failed", outcome: "unknown" });
});
