import { describe, expect, test } from "vitest";
import { envelope, PIX_DATA, PIX_PICTURE, PIX_TEXT } from "./support/answers.ts";
import { FEW_PIX } from "./support/orders.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function pixFrom(body: object) {
  theServiceAnswers(ENDPOINT, 201, body);
  const { payments, events } = aMerchant();
  const transaction = await payments.transactions.createPix(FEW_PIX);
  return { transaction, drift: driftOf(events) };
}

describe("the answer to a pix", () => {
  test("is read field by field, under the service's own names", async () => {
    const { transaction, drift } = await pixFrom(envelope(PIX_DATA));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...PIX_DATA, rawStatus: "pending" });
    expect(drift).toEqual([]);
  });

  test("carries the code, its picture and its expiry", async () => {
    const { transaction } = await pixFrom(envelope(PIX_DATA));

    expect(transaction.pix).toEqual({
      qrcode: PIX_PICTURE,
      qrcodeText: PIX_TEXT,
      expirationDate: "2026-03-02T12:30:00.000Z",
    });
  });

  test.each([201, 1])("has the same meaning with envelope status %d", async (status) => {
    const { transaction, drift } = await pixFrom(envelope(PIX_DATA, { status }));

    expect(transaction).toMatchObject({ id: 81_001, status: "pending" });
    expect(drift).toEqual([]);
  });

  test("starts as pending, with nothing paid", async () => {
    const { transaction } = await pixFrom(envelope(PIX_DATA));

    expect(transaction).toMatchObject({ status: "pending", paidAmount: 0, refundedAmount: 0 });
  });

  test("echoes externalRef as externalId", async () => {
    const { transaction } = await pixFrom(envelope({ ...PIX_DATA, externalId: "pedido-99" }));

    expect(transaction.externalId).toBe("pedido-99");
  });

  test.each([
    ["metadata", { metadata: '{"carrinho":77}' }],
    ["postBackUrl, spelled with a capital B", { postBackUrl: "https://loja.example/postback" }],
    ["customer.externalRef", { customer: { ...PIX_DATA.customer, externalRef: "cliente-5" } }],
  ])("may have %s, which one example has", async (_field, echoed) => {
    const { transaction, drift } = await pixFrom(envelope({ ...PIX_DATA, ...echoed }));

    expect(transaction).toMatchObject(echoed);
    expect(drift).toEqual([]);
  });

  test("is kept whole as raw, out of the sight of JSON", async () => {
    const { transaction } = await pixFrom(envelope(PIX_DATA));

    expect(transaction.raw).toEqual(envelope(PIX_DATA));
    expect(Object.keys(transaction)).not.toContain("raw");
  });
});

describe("a status of a pix", () => {
  test.each([
    ["pending", "pending"],
    ["approved", "approved"],
    ["cancelled", "cancelled"],
    ["canceled", "cancelled"], // the spelling of the pix list
    ["expired", "expired"],
    ["refunded", "refunded"],
  ])("%s is read as %s", async (written, read) => {
    const { transaction, drift } = await pixFrom(envelope({ ...PIX_DATA, status: written }));

    expect(transaction).toMatchObject({ status: read, rawStatus: written });
    expect(drift).toEqual([]);
  });
});
