import { gzipSync, zstdCompressSync } from "node:zlib";
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

test.each([301, 302, 400, 401, 404, 409, 422, 429, 500])(
  "%d with the transaction in its body is created, with its id",
  async (status) => {
    const error = await failureWith(json(status, WITH_TRANSACTION));

    expect(error).toMatchObject({ outcome: "created", transactionId: 701, status, externalRef: "order-1" });
    expect(error.message).toContain("do not send it again");
    expect(error.toJSON()).toMatchObject({ transactionId: 701 });
  },
);

describe("without a transaction of this call in the body, the status decides", () => {
  test.each<[string, unknown]>([
    ["an envelope without data", { success: false, message: "Validation Error", errors: [] }],
    ["data with an invalid id", { success: false, data: { id: "req-7f3a" } }],
    ["an error with its own id", { id: 12, status: "error", message: "Invalid amount" }],
    ["an error with a status of its own", { error: { id: "err_1", status: "failed" } }],
    ["the id of a request", { requestId: "r-1", request_id: 2, "x-request-id": 3, status: "pending" }],
    ["a status that only begins like one of a transaction", { id: 12, status: "pending_review" }],
    ["a reference without a value", { success: false, externalId: null, status: "pending" }],
    [
      "issues about the fields of a transaction",
      { errors: { externalId: ["is taken"], status: ["approved"] } },
    ],
    ["an issue about the reference", { errors: [{ field: "externalId", message: "is taken" }] }],
    ["the request", { success: false, message: "Invalid", request: { ...aPix(), status: 400 } }],
  ])("%s", async (_what, body) => {
    const errors = [await failureWith(json(400, body)), await failureWith(json(500, body))];

    expect(errors.map(({ outcome }) => outcome)).toEqual(["rejected", "unknown"]);
    for (const error of errors) expect(error).not.toHaveProperty("transactionId");
  });
});

test.each<[string, object]>([
  ["a method", { ...DATA, paymentMethod: "pix" }],
  ["its reference", DATA],
  ["its reference and any status", { ...DATA, status: "PENDING_3DS", amount: 1990 }],
])("a transaction without its envelope is created: with %s", async (_what, body) => {
  const error = await failureWith(json(400, body));

  expect(error).toMatchObject({ outcome: "created", transactionId: 701 });
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
    ["a transaction in a list", '{"result":[{"payment":{"status" : "PAID" , "id": "3f2a"}}]}'],
    ["its id under its full name", '{"transaction_id":7,"transaction_status":"processing"}'],
    ["escaped JSON", String.raw`{\u0022id\u0022:7,\u0022status\u0022:\u0022pending\u0022}`],
    ["JSON in a page, with numeric entities", "{&#34;externalId&#x22;&#58;&#034;order-1&#34;}"],
    ["JSON in a page in a page", "{&amp;quot;externalId&amp;quot;:&amp;quot;order-1&amp;quot;}"],
    ["XML", "<transaction><id>7</id><status>approved</status></transaction>"],
    ["XML with a namespace", "<p:id>7</p:id><p:status><![CDATA[refused]]></p:status>"],
    ["a form", "id=7&status=approved"],
    ["an encoded form", "body=id%3D7%26status%3Dapproved"],
    ["JSON that is encoded twice", encodeURIComponent(encodeURIComponent('{"externalId":"order-1"}'))],
    ["YAML", "id: 7\nstatus: approved\n"],
    ["success", "<success>true</success>"],
    [
      "data that may be something else",
      '{"success":false,"data":{"id":12,"name":"Loja","status":"suspended"}}',
    ],
    ["an unknown status", '{"payment":{"id":7,"status":"captured"}}'],
    ["an unknown status, and paid cents", '{"upstream":{"id":7,"status":"authorized","paidAmount":1990}}'],
    ["a code that can be paid", '{"upstream":{"pix":{"qrcodeText":"000201"}}}'],
    ["only the id of a transaction", '{"message":"could not save","transactionId":7}'],
  ])("%s", async (_what, body) => {
    const error = await failureWith(text(400, body));

    expect(error).toMatchObject({ outcome: "unknown" });
    expect(error).not.toHaveProperty("transactionId");
  });

  test("a transaction of another order without an envelope is unknown", async () => {
    const error = await failureWith(json(401, { id: 9, status: "PENDING_3DS", externalId: "order-2" }));

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
  });
});

describe("an error response that cannot be read is unknown, not rejected", () => {
  const UNAUTHORIZED = '{"success":false,"message":"Unauthorized"}';

  function failureOfBytes(body: Uint8Array) {
    const headers = { "content-length": String(body.length) };
    const fetch = async () => new Response(Uint8Array.from(body), { status: 401, headers });
    return failureOf(merchantAt("https://pay.example", { fetch }).payments.transactions.createPix(aPix()));
  }

  test.each<[string, Uint8Array]>([
    ["JSON that is cut off", Buffer.from('{"success":false,"message":"Unauth')],
    ["JSON that is cut off after a byte order mark", Buffer.from('\u{feff} [{"message":"Unauth')],
    ["a body above 5 MB", Buffer.from(`${UNAUTHORIZED}${" ".repeat(5_000_000)}`)],
    ["gzip", gzipSync(UNAUTHORIZED)],
    ["zstd", zstdCompressSync(UNAUTHORIZED)],
    ["UTF-16 with a byte order mark", Buffer.from(`\u{feff}${UNAUTHORIZED}`, "utf16le")],
    ["UTF-16", Buffer.from(UNAUTHORIZED, "utf16le")],
    ["bytes that are not UTF-8", Buffer.from("N\u{e3}o autorizado", "latin1")],
  ])("%s", async (_what, body) => {
    expect((await failureOfBytes(body)).outcome).toBe("unknown");
  });

  test.each<[string, Uint8Array]>([
    ["text", Buffer.from("N\u{e3}o autorizado\r\n")],
    ["text in brackets", Buffer.from("[WAF] blocked request 8123")],
    ["text that begins with a quoted name", Buffer.from('"customer.email" must be a valid email')],
    ["a page in Latin-1", Buffer.from("<html><p>N\u{e3}o autorizado</p>", "latin1")],
    ["JSON in Latin-1", Buffer.from('{"message":"N\u{e3}o autorizado"}', "latin1")],
    ["JSON after a byte order mark", Buffer.from(`\u{feff}${UNAUTHORIZED}`)],
  ])("but %s is rejected", async (_what, body) => {
    expect((await failureOfBytes(body)).outcome).toBe("rejected");
  });
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
