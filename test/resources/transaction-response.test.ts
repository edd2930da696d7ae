import { assertNotRefused, CardRefusedError, type PaymentsClient, type Transaction } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, text } from "../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf, thrownBy } from "../support/merchant.ts";
import { aCardData, aPixData, aRefusedData, envelope, PIX_CODE, PNG } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** The result of a create call, with field and message of each drift event. */
async function resultOf(body: unknown, create: (payments: PaymentsClient) => PromiseLike<Transaction>) {
  const reply = typeof body === "string" ? text(201, body) : json(201, body);
  const { payments, events } = await startMerchant(reply);
  const transaction = await create(payments);
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { transaction, drift };
}
const readPix = (body: unknown) => resultOf(body, ({ transactions }) => transactions.createPix(aPix()));
const readCard = (body: unknown) =>
  resultOf(body, ({ transactions }) => transactions.createCard(aCardPayment()));

describe("every field is read under the service's name, with the status", () => {
  const CARD_STATUSES = ["pending", "processing", "approved", "cancelled", "refunded", "chargedback"];

  test.each([
    ...["pending", "approved", "cancelled", "expired", "refunded"].map((status) => ["pix", status, status]),
    ["pix", "canceled", "cancelled"], // the spelling of the pix list
    ...CARD_STATUSES.map((status) => ["card", status, status]),
    ["card", "refused", "refused"], // a 201
  ])("of a %s: %s, which is read as %s", async (method, rawStatus, status) => {
    const [read, dataOf] = method === "pix" ? [readPix, aPixData] : [readCard, aCardData];
    const ofOneExample = { metadata: '{"carrinho":77}', postBackUrl: "https://loja.example/postback" };
    const data = dataOf({ ...ofOneExample, installments: 3, refusedReason: "No funds", status: rawStatus });

    const { transaction, drift } = await read(envelope(data));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...data, status, rawStatus });
    expect(drift).toEqual([]);
  });
});

test.each(["metadata", "postBackUrl", "installments", "externalId", "traceable"])(
  "%s, which only some examples of the specification have, may be missing without a drift event",
  async (name) => {
    const { transaction, drift } = await readPix(envelope(aPixData({ [name]: undefined })));

    expect(transaction).not.toHaveProperty(name);
    expect(drift).toEqual([]);
  },
);

describe("a status", () => {
  test.each([
    ["paid", "approved"],
    ["chargeback", "chargedback"],
    ["APPROVED", "approved"],
    ["Canceled", "cancelled"],
    ["PENDING_3DS", "unrecognized"],
    ["approved ", "unrecognized"], // never read as approved
    ["аpproved", "unrecognized"], // the first letter is Cyrillic
    ["__proto__", "unrecognized"],
    ["", "unrecognized"],
  ])("of another spelling is normalised with a drift event: %j as %s", async (rawStatus, status) => {
    const { transaction, drift } = await readCard(envelope(aCardData({ status: rawStatus })));

    expect(transaction).toMatchObject({ status, rawStatus });
    expect(drift).toEqual(["data.status is not spelled as in the specification"]);
  });

  test.each([
    [undefined, "missing"],
    [null, "null"],
    [1, "a number"],
    [{ name: "approved" }, "an object"],
  ])("that is not a string is unrecognized: %j", async (value, type) => {
    const { transaction, drift } = await readCard(envelope(aCardData({ status: value })));

    expect(transaction.status).toBe("unrecognized");
    expect(transaction).not.toHaveProperty("rawStatus");
    expect(drift).toEqual([`data.status is ${type}`]);
  });
});

describe("an invalid field does not affect others", () => {
  test.each<[object, object, string[]]>([
    [{ id: "4021" }, { id: 4021 }, ["data.id is a string"]],
    [{ amount: "1990" }, { amount: 1990 }, ["data.amount is a string"]],
    [{ amount: undefined }, { amount: 1990 }, ["data.amount is missing"]], // the amount of the request
    [{ amount: "19,90" }, { amount: 1990 }, ["data.amount is a string"]],
    [{ amount: 19.9 }, { amount: 1990 }, ["data.amount is a number"]],
    [{ fees: "99" }, { fees: 99 }, ["data.fees is a string"]],
    [{ installments: 1.5 }, { installments: undefined }, ["data.installments is a number"]],
    [{ fees: { total: 99 } }, { fees: undefined }, ["data.fees is an object"]],
    [{ secureUrl: null }, { secureUrl: undefined }, ["data.secureUrl is null"]],
    [{ externalId: 7 }, { externalId: undefined }, ["data.externalId is a number"]],
    [{ companyId: "" }, { companyId: undefined }, ["data.companyId is an empty string"]],
    [{ customer: null }, { customer: { document: {} } }, ["data.customer is null"]],
    [
      { customer: { name: "Ana", email: null, document: "529" } },
      { customer: { name: "Ana", document: {} } },
      ["data.customer.document is a string", "data.customer.email is null"],
    ],
    [
      { customer: { name: "A", email: "a@b", externalRef: "c-5", document: { type: "cpf", number: 5 } } },
      { customer: { name: "A", email: "a@b", externalRef: "c-5", document: { type: "cpf" } } },
      ["data.customer.document.number is a number"],
    ],
    [{ paymentMethod: undefined }, { paymentMethod: "pix" }, ["data.paymentMethod is missing"]],
    [{ paymentMethod: "boleto" }, { paymentMethod: "pix" }, ["data.paymentMethod is not the requested one"]],
  ])("%j", async (sent, received, expectedDrift) => {
    const { transaction, drift } = await readPix(envelope(aPixData(sent as Record<string, unknown>)));

    expect(transaction).toEqual({ ...aPixData(), ...received, rawStatus: "pending" });
    expect(drift).toEqual(expectedDrift);
  });

  test("names with a meaning in JavaScript are plain data", async () => {
    const body = JSON.stringify(envelope(aPixData()));

    const { transaction } = await readPix(body.replace('"id":', '"__proto__":{"status":"approved"},"id":'));

    expect(transaction.status).toBe("pending");
    expect(Object.getPrototypeOf(transaction)).toBe(Object.prototype);
  });
});

test.each<[string, unknown, string[]]>([
  ["no envelope", aPixData(), ["data is missing: the response has no envelope"]],
  ["data in an array", envelope([aPixData()]), ["data is an array"]],
  ["success as a string", envelope(aPixData(), { success: "true" }), ["success is a string"]],
  ["message as an array", envelope(aPixData(), { message: ["x"] }), ["message is an array"]],
  ["status as a string", envelope(aPixData(), { status: "201" }), ["status is a string"]],
  ["another status", envelope(aPixData(), { status: 200 }), []],
  ["the status 1", envelope(aPixData(), { status: 1 }), []],
  ["only data", { data: aPixData() }, ["success is missing", "message is missing", "status is missing"]],
  ["unknown fields", envelope(aPixData({ novelty: {} }), { trace: "x" }), []],
])("an unusual envelope does not hide the transaction: %s", async (_what, body, expectedDrift) => {
  const { transaction, drift } = await readPix(body);

  expect(transaction).toMatchObject({ id: 4021, status: "pending", amount: 1990 });
  expect(drift).toEqual(expectedDrift);
});

test("raw is the body as received, and not enumerable", async () => {
  const body = envelope(aPixData({ novelty: { a: [1] } }));

  const { transaction } = await readPix(body);

  expect(transaction.raw).toEqual(body);
  expect(Object.keys(transaction)).not.toContain("raw");
  expect(JSON.stringify(transaction)).not.toContain("novelty");
  expect({ ...transaction }).not.toHaveProperty("raw");
});

const URI = `data:image/png;base64,${PNG}`;
const EXPIRES = "2026-11-21T12:00:00.000Z";

describe("the code and the picture are returned in the right fields", () => {
  const MOVED = "data.pix.qrcode contains the pix code";
  const TEXT_MISSING = "data.pix.qrcodeText is missing";
  const BOTH = { qrcode: URI, qrcodeText: PIX_CODE };
  const ONLY_CODE = { qrcodeText: PIX_CODE };
  const NOT_PNG = "data.pix.qrcode is not a PNG data URI";
  const JPEG = { qrcode: "data:image/jpeg;base64,/9j/4AAQ", qrcodeText: PIX_CODE };
  const WITH_URL = { qrcode: "https://pay.example/qr.png", qrcodeText: PIX_CODE };
  const UNKNOWN_FORMAT = { qrcode: URI, qrcodeText: "PIX-CODE-7" };

  test.each<[string, object, object, string[]]>([
    ["both in the right fields", BOTH, BOTH, []],
    ["the code in the picture's field", { qrcode: PIX_CODE }, ONLY_CODE, [TEXT_MISSING, MOVED]],
    ["each in the other's field", { qrcode: PIX_CODE, qrcodeText: URI }, BOTH, [MOVED]],
    ["the code in both fields", { qrcode: PIX_CODE, qrcodeText: PIX_CODE }, ONLY_CODE, [MOVED]],
    ["a picture as base64 without a data URL", { qrcode: PNG, qrcodeText: PIX_CODE }, BOTH, [NOT_PNG]],
    ["the URL of a picture", WITH_URL, WITH_URL, [NOT_PNG]],
    ["a JPEG", JPEG, JPEG, [NOT_PNG]],
    ["a code of an unknown format", UNKNOWN_FORMAT, UNKNOWN_FORMAT, []],
    ["an invalid date", { ...BOTH, expirationDate: 7 }, BOTH, ["data.pix.expirationDate is a number"]],
  ])("%s", async (_what, sent, received, expectedDrift) => {
    const date = { expirationDate: EXPIRES };
    const pix = { ...date, ...sent };

    const { transaction, drift } = await readPix(envelope(aPixData({ pix })));

    expect(transaction).toHaveProperty("pix", "expirationDate" in sent ? received : { ...received, ...date });
    expect(drift).toEqual(expectedDrift);
  });
});

test.each<[string, unknown, object]>([
  ["no pix at all", undefined, { qrcodeText: "" }],
  ["null", null, { qrcodeText: "" }],
  ["a string", PIX_CODE, { qrcodeText: "" }],
  ["an empty object", {}, { qrcodeText: "" }],
  ["an empty code", { qrcodeText: "", expirationDate: EXPIRES }, { qrcodeText: "", expirationDate: EXPIRES }],
  ["only the picture", { qrcode: URI }, { qrcodeText: "", qrcode: URI }],
  ["the picture in the code's field", { qrcodeText: URI }, { qrcodeText: "", qrcode: URI }],
  ["a base64 picture in the code's field", { qrcodeText: PNG }, { qrcodeText: "", qrcode: URI }],
])("a pix without a code throws an error with outcome created: %s", async (_what, pix, expected) => {
  const { payments } = await startMerchant(json(201, envelope(aPixData({ pix }))));

  const error = await failureOf(payments.transactions.createPix(aPix()));

  const shown = { code: "unexpected_response", outcome: "created", transactionId: 4021, status: 201 };
  const issues = [{ field: "data.pix.qrcodeText", message: expect.any(String) }];
  expect([error, error.toJSON()]).toMatchObject(Array(2).fill({ ...shown, issues }));
  expect(error.toJSON()).not.toHaveProperty("body");
  expect(error).toMatchObject({ transaction: { id: 4021, status: "pending", amount: 1990 } });
  expect(error).toHaveProperty("transaction.pix", expected);
});

describe("a declined card resolves with a reason that is always a string", () => {
  const OBJECT = ["data.refusedReason is an object"];

  test.each<[string, unknown, string, string[]]>([
    ["the service's text", "Insufficient limit", "Insufficient limit", []],
    ["an empty string", "", "unspecified", ["data.refusedReason is an empty string"]],
    ["an object in an object", { message: { text: "No funds" } }, "unspecified", OBJECT],
    ["null", null, "unspecified", ["data.refusedReason is null"]],
    ["undefined", undefined, "unspecified", ["data.refusedReason is missing"]],
    ["an object with a message", { code: 51, message: "No funds" }, "No funds", OBJECT],
    ["an object without text", { code: 51 }, "unspecified", OBJECT],
  ])("%s", async (_what, refusedReason, reason, expectedDrift) => {
    const { transaction, drift } = await readCard(envelope(aRefusedData({ refusedReason })));

    expect(transaction).toMatchObject({ status: "refused", refusedReason: reason, refusedAmount: 1990 });
    expect(drift).toEqual(expectedDrift);
  });
});

test.each([
  [undefined, undefined],
  [null, undefined],
  ["", undefined],
  ["In review", "In review"],
])(
  "a card that was not declined has no reason, unless the service sent a text: %j",
  async (sent, received) => {
    const { transaction, drift } = await readCard(envelope(aCardData({ refusedReason: sent })));

    expect(transaction.refusedReason).toBe(received);
    expect("refusedReason" in transaction).toBe(received !== undefined);
    expect(drift).toEqual([]);
  },
);

test("assertNotRefused throws an error with actor customer for a declined card", async () => {
  const { transaction } = await readCard(envelope(aRefusedData()));

  const error = thrownBy(() => assertNotRefused(transaction));

  expect(error).toBeInstanceOf(CardRefusedError);
  expect(error.toJSON()).toEqual({
    ...{ name: "CardRefusedError", code: "card_refused", message: error.message, outcome: "created" },
    ...{ mayHaveCharged: false, actor: "customer", endpoint: "transactions.create" },
    ...{ externalRef: "order-1", refusedReason: "Insufficient limit", transactionId: 4021 },
  });
  expect(error.message).toContain("The card was declined (Insufficient limit)");
});

test("assertNotRefused does not throw for any other status of a card, nor for a refused pix", async () => {
  const cards = ["approved", "pending", "PENDING_3DS"].map((status) =>
    readCard(envelope(aCardData({ status }))),
  );
  const refusedPix = readPix(envelope(aPixData({ status: "refused" })));

  for (const { transaction } of await Promise.all([...cards, refusedPix])) assertNotRefused(transaction);
});
