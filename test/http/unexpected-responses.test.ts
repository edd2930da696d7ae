import type { UnexpectedResponseError } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";

const UNUSABLE = { name: "UnexpectedResponseError", code: "unexpected_response" };
const COMPLETE = JSON.stringify(envelope(aPixData()));

function merchantWith(response: Response) {
  const fetch = vi.fn(async () => response);
  return { ...merchantAt("https://pay.example", { fetch }), fetch };
}

const text = (status: number, body: string, headers = {}) =>
  new Response(body === "" ? null : body, { status, headers });
const jsonResponse = (status: number, body: unknown, headers = {}) =>
  text(status, JSON.stringify(body), headers);

async function createError(response: Response) {
  const { payments, fetch } = merchantWith(response);

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ endpoint: "transactions.create", externalRef: "order-1", actor: "service" });
  expect(fetch).toHaveBeenCalledTimes(1);
  return error as UnexpectedResponseError;
}

describe("a 2xx without a transaction has an unknown outcome", () => {
  const pixWithId = (id: unknown) => jsonResponse(201, envelope(aPixData({ id })));
  const NOT_AN_ID = "is not a whole number above zero";

  test.each<[string, Response, string, string]>([
    ["an empty 200", text(200, ""), "", "the body is empty"],
    ["a 204", text(204, ""), "", "the body is empty"],
    ["a page", text(200, "<!doctype html><p>Hi</p>"), "", "the body is a page, not JSON"],
    ["text", text(201, "Created"), "", "the body is not JSON"],
    ["JSON that is truncated early", text(201, COMPLETE.slice(0, 40)), "", "the body is not JSON"],
    ["no data", jsonResponse(201, { success: true, message: "Transaction created" }), "data", "is missing"],
    ["an empty array as data", jsonResponse(201, envelope([])), "data", "is missing"],
    ["null as body", jsonResponse(201, null), "data", "is missing"],
    ["only the envelope's id", jsonResponse(201, { id: 9, success: true }), "data", "is missing"],
    ["data without id", pixWithId(undefined), "data.id", "is missing"],
    ["a fraction as id", pixWithId(1.5), "data.id", NOT_AN_ID],
    ["words as id", pixWithId("abc"), "data.id", "is a string"],
  ])("%s", async (_what, reply, field, message) => {
    const error = await createError(reply);

    expect(error).toMatchObject({ ...UNUSABLE, outcome: "unknown", issues: [{ field, message }] });
    expect(error).not.toHaveProperty("transactionId");
    expect(error).not.toHaveProperty("transaction");
  });
});

describe("an id in a truncated body proves that the transaction exists", () => {
  test.each([
    ["first of data", '{"success":true,"data":{"id":4021,"status":"pen', 4021],
    ["after other fields", '{"data":{"status":"pending","traceable":true,"fees":-1,"id":"4021","amo', 4021],
    ["a field with quotes inside", '{"data":{"metadata":"{\\"id\\":9}","id":4021,"a', 4021],
    ["beyond 2^53 - 1", '{"data":{"id":9007199254740993,"sta', "9007199254740993"],
  ])("%s", async (_where, body, transactionId) => {
    const error = await createError(text(201, body));

    expect(error).toMatchObject({ ...UNUSABLE, outcome: "created", transactionId, body, status: 201 });
  });

  test.each([
    ["digits that may be incomplete", '{"data":{"id":40'],
    ["the id of the buyer", '{"data":{"customer":{"id":5,"na'],
    ["an id outside data", '{"id":5,"success":true,'],
    ["an id inside a string", '{"message":"{\\"data\\":{\\"id\\":5,\\"a\\":1}"'],
    ["data that ends without an id", '{"data":{"status":"pending"},"id":5,'],
    ["a fraction", '{"data":{"id":4.5,"status'],
    ["the id of an object before", '{"request":{"data":{"id":55,"status":"pending"}},"data":{"id":40'],
    ["an id of another order, whose reference is cut off", '{"data":{"id":4021,"externalId":"order-2'],
  ])("%s is not read as the id", async (_what, body) => {
    const error = await createError(text(201, body));

    expect(error).toMatchObject({ ...UNUSABLE, outcome: "unknown" });
    expect(error).not.toHaveProperty("transactionId");
  });
});

test("an id beyond 2^53 - 1 is returned as a string, because a number would be rounded", async () => {
  const body = COMPLETE.replace("4021", "9007199254740993");

  const error = await createError(text(201, body));

  expect(error).toMatchObject({ ...UNUSABLE, outcome: "created", transactionId: "9007199254740993" });
  expect(error.body).toContain('"id":9007199254740993');
  expect(error.issues).toEqual([{ field: "data.id", message: "is beyond 2^53 - 1" }]);
});

describe("a 2xx with success: false", () => {
  test("repeats the service's message in any shape", async () => {
    const error = await createError(
      jsonResponse(200, { success: false, message: ["Try later", "or never"] }),
    );

    expect(error.message).toContain("with success: false: Try later; or never.");
    expect(error).not.toHaveProperty("transactionId");
  });

  test("has no outcome on a read call", async () => {
    const { payments } = merchantWith(jsonResponse(200, { success: false, error: "Suspended" }));

    const error = await failureOf(payments.company.retrieve());

    expect(error).toMatchObject({ name: "ApiError", outcome: "not_applicable" });
    expect(error.message).toContain("Suspended");
  });
});
