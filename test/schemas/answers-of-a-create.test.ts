import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, eventsOf } from "../support/merchant.ts";
import { recordingClient } from "../support/recording-client.ts";
import { aCardData, aPixData, aRefusedData, envelope, PIX_CODE, PNG } from "../support/service-answers.ts";

async function cardFrom(answer: unknown) {
  const { payments, events } = recordingClient(answer);
  const transaction = await payments.transactions.createCard(aCardPayment());
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { transaction, drift };
}

async function pixFrom(pix: unknown) {
  const { payments, events } = recordingClient(envelope(aPixData({ pix })));
  const transaction = await payments.transactions.createPix(aPix());
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { pix: transaction.pix, drift };
}

describe("a field that is not as the specification says is left out, and told", () => {
  test.each<[string, unknown, string]>([
    ["companyId", null, "data.companyId came as null"],
    ["companyId", undefined, "data.companyId came as nothing"],
    ["secureUrl", null, "data.secureUrl came as null"],
    ["secureUrl", 7, "data.secureUrl came as a number"],
    ["fees", { total: 99 }, "data.fees came as an object"],
    ["fees", [99], "data.fees came as an array"],
    ["fees", "", "data.fees came as an empty string"],
    ["traceable", "true", "data.traceable came as a string"],
    ["externalId", 7, "data.externalId came as a number"],
    ["installments", 1.5, "data.installments came as a number"],
    ["createdAt", true, "data.createdAt came as a boolean"],
  ])("%s %j", async (name, value, deviation) => {
    const { transaction, drift } = await cardFrom(envelope(aCardData({ [name]: value })));

    expect(transaction).not.toHaveProperty(name);
    expect(transaction).toMatchObject({ id: 4021, status: "approved", amount: 1990 });
    expect(drift).toEqual([deviation]);
  });

  test("an integer that came as text is read, and told", async () => {
    const { transaction, drift } = await cardFrom(
      envelope(aCardData({ id: "4021", amount: "1990", fees: "99" })),
    );

    expect(transaction).toMatchObject({ id: 4021, amount: 1990, fees: 99 });
    expect(drift).toEqual([
      "data.id came as a string",
      "data.amount came as a string",
      "data.fees came as a string",
    ]);
  });

  test.each<[string, unknown, unknown, string[]]>([
    ["missing", undefined, { document: {} }, ["data.customer came as nothing"]],
    ["a text", "Ana", { document: {} }, ["data.customer came as a string"]],
    [
      "without its parts",
      {},
      { document: {} },
      [
        "data.customer.document came as nothing",
        "data.customer.name came as nothing",
        "data.customer.email came as nothing",
      ],
    ],
    [
      "with half a document",
      { name: "Ana", email: "ana@loja.example", document: { type: "cpf" } },
      { name: "Ana", email: "ana@loja.example", document: { type: "cpf" } },
      ["data.customer.document.number came as nothing"],
    ],
  ])("a customer %s", async (_what, customer, read, deviations) => {
    const { transaction, drift } = await cardFrom(envelope(aCardData({ customer })));

    expect(transaction.customer).toEqual(read);
    expect(drift).toEqual(deviations);
  });
});

describe("what the answer leaves out", () => {
  test.each<[unknown, string]>([
    [undefined, "data.amount came as nothing"],
    [null, "data.amount came as null"],
    [19.9, "data.amount came as a number"],
    ["19.90", "data.amount came as a string"],
  ])("the amount %j is the request's", async (amount, deviation) => {
    const { transaction, drift } = await cardFrom(envelope(aCardData({ amount })));

    expect(transaction.amount).toBe(1990);
    expect(drift).toEqual([deviation]);
  });

  test.each<[unknown]>([[undefined], [null], [201], [{ name: "approved" }]])(
    "the status %j is unrecognized",
    async (status) => {
      const { transaction } = await cardFrom(envelope(aCardData({ status })));

      expect(transaction.status).toBe("unrecognized");
      expect(transaction).not.toHaveProperty("rawStatus");
    },
  );

  test.each([
    ["PAID", "approved"],
    ["waiting_payment", "pending"],
    ["PENDING_3DS", "unrecognized"],
    ["", "unrecognized"],
  ])("the status %j is %s, told as a deviation", async (rawStatus, status) => {
    const { transaction, drift } = await cardFrom(envelope(aCardData({ status: rawStatus })));

    expect(transaction).toMatchObject({ status, rawStatus });
    expect(drift).toEqual(["data.status is not spelled as in the specification"]);
  });

  test.each<[string, unknown]>([
    ["missing", undefined],
    ["another", "boleto"],
  ])("the method, where it is %s, is that which was asked for", async (_what, paymentMethod) => {
    const { transaction, drift } = await cardFrom(envelope(aCardData({ paymentMethod })));

    expect(transaction.paymentMethod).toBe("credit_card");
    expect(drift).toHaveLength(1);
    expect(drift[0]).toMatch(/^data\.paymentMethod /);
  });
});

describe("the reason of a refusal is a text", () => {
  test.each<[unknown, string, number]>([
    ["Insufficient limit", "Insufficient limit", 0],
    ["", "unspecified", 1],
    ["  ", "unspecified", 1],
    [null, "unspecified", 1],
    [undefined, "unspecified", 1],
    [51, "unspecified", 1],
    [["no"], "unspecified", 1],
    [{}, "unspecified", 1],
    [{ code: 51, message: "No funds" }, "No funds", 1],
    [{ description: "No funds" }, "No funds", 1],
    [{ message: { text: "No funds" } }, "unspecified", 1],
  ])("%j is %j", async (refusedReason, text, deviations) => {
    const { transaction, drift } = await cardFrom(envelope(aRefusedData({ refusedReason })));

    expect(transaction).toMatchObject({ status: "refused", refusedReason: text });
    expect(drift).toHaveLength(deviations);
  });

  test.each<[unknown, object]>([
    ["Under review", { refusedReason: "Under review" }],
    [null, {}],
    ["", {}],
  ])("of what was not refused, %j is kept only where it is one", async (refusedReason, kept) => {
    const { transaction } = await cardFrom(envelope(aCardData({ refusedReason })));

    expect({ ...transaction }).toEqual({ ...transaction, ...kept });
    expect("refusedReason" in transaction).toBe("refusedReason" in kept);
  });
});

describe("the envelope", () => {
  test.each<[string, unknown, string[]]>([
    ["without success", envelope(aCardData(), { success: undefined }), ["success came as nothing"]],
    ["with success as text", envelope(aCardData(), { success: "true" }), ["success came as a string"]],
    ["that is missing", aCardData(), ["data came without its envelope"]],
    ["with the data in an array", envelope([aCardData()]), ["data came as an array"]],
  ])("%s hides no transaction", async (_what, answer, deviations) => {
    const { transaction, drift } = await cardFrom(answer);

    expect(transaction).toMatchObject({ id: 4021, status: "approved" });
    expect(drift).toEqual(deviations);
  });
});

describe("a pix code is known by its shape", () => {
  const PICTURE = `data:image/png;base64,${PNG}`;

  test.each<[string, object, object, number]>([
    ["in its place", { qrcode: PICTURE, qrcodeText: PIX_CODE }, { qrcode: PICTURE, qrcodeText: PIX_CODE }, 1],
    ["in qrcode", { qrcode: PIX_CODE }, { qrcodeText: PIX_CODE }, 3],
    [
      "in qrcode, with the picture in its place",
      { qrcode: PIX_CODE, qrcodeText: PICTURE },
      { qrcode: PICTURE, qrcodeText: PIX_CODE },
      2,
    ],
    ["in both places", { qrcode: PIX_CODE, qrcodeText: PIX_CODE }, { qrcodeText: PIX_CODE }, 2],
    [
      "beside a picture without its data URI",
      { qrcode: PNG, qrcodeText: PIX_CODE },
      { qrcode: PICTURE, qrcodeText: PIX_CODE },
      1,
    ],
    [
      "beside a link to a picture",
      { qrcode: "https://x.example/q.png", qrcodeText: PIX_CODE },
      { qrcode: "https://x.example/q.png", qrcodeText: PIX_CODE },
      1,
    ],
    ["of another shape, in its place", { qrcodeText: "PIX-77" }, { qrcodeText: "PIX-77" }, 2],
  ])("%s", async (_what, received, read, deviations) => {
    const { pix, drift } = await pixFrom(received);

    expect(pix).toEqual(read);
    expect(drift).toHaveLength(deviations);
  });

  test.each<[string, unknown]>([
    ["missing", undefined],
    ["null", null],
    ["empty", {}],
    ["a picture only", { qrcode: PICTURE }],
    ["a picture in both places", { qrcode: PICTURE, qrcodeText: PICTURE }],
    ["an empty text", { qrcode: PICTURE, qrcodeText: "" }],
  ])("%s is an error that carries the transaction", async (_what, pix) => {
    await expect(pixFrom(pix)).rejects.toMatchObject({
      code: "unexpected_response",
      outcome: "created",
      transactionId: 4021,
      transaction: { id: 4021, status: "pending", amount: 1990, paymentMethod: "pix" },
      issues: [{ field: "data.pix.qrcodeText" }],
    });
  });
});
