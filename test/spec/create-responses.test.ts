import { describe, expect, test } from "vitest";
import { FULL_CARD, MINIMAL_PIX } from "./support/orders.ts";
import {
  APPROVED_CARD_DATA,
  envelope,
  PIX_DATA,
  PIX_PICTURE,
  PIX_TEXT,
  REFUSED_CARD_DATA,
} from "./support/responses.ts";
import { createMerchant, driftOf, serviceResponds } from "./support/service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function pixFrom(body: object) {
  serviceResponds(ENDPOINT, 201, body);
  const { payments, events } = createMerchant();
  const transaction = await payments.transactions.createPix(MINIMAL_PIX);
  return { transaction, drift: driftOf(events) };
}

async function cardFrom(body: object) {
  serviceResponds(ENDPOINT, 201, body);
  const { payments, events } = createMerchant();
  const transaction = await payments.transactions.createCard(FULL_CARD);
  return { transaction, drift: driftOf(events) };
}

describe("the response to a pix", () => {
  test("has the service's field names and the status pending", async () => {
    const { transaction, drift } = await pixFrom(envelope(PIX_DATA));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...PIX_DATA, rawStatus: "pending" });
    expect(transaction).toMatchObject({ status: "pending", paidAmount: 0, refundedAmount: 0 });
    expect(drift).toEqual([]);
  });

  test("has the code, its picture and its expiry", async () => {
    const { transaction } = await pixFrom(envelope(PIX_DATA));

    expect(transaction.pix).toEqual({
      qrcode: PIX_PICTURE,
      qrcodeText: PIX_TEXT,
      expirationDate: "2026-03-02T12:30:00.000Z",
    });
  });

  test.each([
    ["metadata", { metadata: '{"carrinho":77}' }],
    ["postBackUrl, spelled with a capital B", { postBackUrl: "https://loja.example/postback" }],
    ["customer.externalRef", { customer: { ...PIX_DATA.customer, externalRef: "cliente-5" } }],
  ])("may have %s, which only one example has", async (_field, echoed) => {
    const { transaction, drift } = await pixFrom(envelope({ ...PIX_DATA, ...echoed }));

    expect(transaction).toMatchObject(echoed);
    expect(drift).toEqual([]);
  });

  test.each([
    ["pending", "pending"],
    ["approved", "approved"],
    ["cancelled", "cancelled"],
    ["canceled", "cancelled"], // the spelling of the pix list
    ["expired", "expired"],
    ["refunded", "refunded"],
  ])("may have the status %s, which is read as %s", async (rawStatus, normalised) => {
    const { transaction, drift } = await pixFrom(envelope({ ...PIX_DATA, status: rawStatus }));

    expect(transaction).toMatchObject({ status: normalised, rawStatus });
    expect(drift).toEqual([]);
  });
});

describe("the response to a card payment", () => {
  test("that is approved has the service's field names", async () => {
    const { transaction, drift } = await cardFrom(envelope(APPROVED_CARD_DATA));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...APPROVED_CARD_DATA, rawStatus: "approved" });
    expect(transaction.installments).toBe(3); // an integer, unlike in the request
    expect(transaction).not.toHaveProperty("pix");
    expect(drift).toEqual([]);
  });

  test("that is declined is a 201, and a result with its reason and the full amount", async () => {
    const { transaction, drift } = await cardFrom(envelope(REFUSED_CARD_DATA));

    expect(transaction).toMatchObject({
      id: 81_002,
      status: "refused",
      refusedReason: "Transação não autorizada",
      amount: 10_000,
      refusedAmount: 10_000,
      paidAmount: 0,
    });
    expect(drift).toEqual([]);
  });

  test.each(["pending", "processing", "approved", "cancelled", "refunded", "chargedback"])(
    "may have the status %s",
    async (status) => {
      const { transaction, drift } = await cardFrom(envelope({ ...APPROVED_CARD_DATA, status }));

      expect(transaction).toMatchObject({ status, rawStatus: status });
      expect(drift).toEqual([]);
    },
  );
});

describe("the envelope's status has no effect", () => {
  test.each([201, 1])("on a pix: %d", async (status) => {
    const { transaction, drift } = await pixFrom(envelope(PIX_DATA, { status }));

    expect(transaction).toMatchObject({ id: 81_001, status: "pending" });
    expect(drift).toEqual([]);
  });

  test.each([201, 1])("on a card payment: %d", async (status) => {
    const { transaction, drift } = await cardFrom(envelope(APPROVED_CARD_DATA, { status }));

    expect(transaction).toMatchObject({ id: 81_003, status: "approved" });
    expect(drift).toEqual([]);
  });
});
