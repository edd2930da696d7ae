import type { PaymentsClient, Transaction } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import { aCardPayment, aPix, eventsOf } from "../support/merchant.ts";
import { aCardData, aPixData, aRefusedData, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** What a create call returns for a response, and the fields that drifted. */
async function from(body: object, create: (payments: PaymentsClient) => PromiseLike<Transaction>) {
  const { payments, events } = await startMerchant(json(201, body));
  return { transaction: await create(payments), drift: eventsOf(events, "drift") };
}
const pixFrom = (body: object) => from(body, ({ transactions }) => transactions.createPix(aPix()));
const cardFrom = (body: object) => from(body, ({ transactions }) => transactions.createCard(aCardPayment()));

const PIX_DATA = aPixData();
const APPROVED_CARD_DATA = aCardData({ installments: 3 });

describe("the response to a pix", () => {
  test("has the service's field names and the status pending", async () => {
    const { transaction, drift } = await pixFrom(envelope(PIX_DATA));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...PIX_DATA, rawStatus: "pending" });
    expect(transaction).toMatchObject({ status: "pending", paidAmount: 0, refundedAmount: 0 });
    expect(drift).toEqual([]);
  });

  test.each([
    ["metadata", { metadata: '{"carrinho":77}' }],
    ["postBackUrl, spelled with a capital B", { postBackUrl: "https://loja.example/postback" }],
    ["customer.externalRef", { customer: { ...Object(PIX_DATA["customer"]), externalRef: "cliente-5" } }],
  ])("may have %s, which only one example has", async (_field, echoed) => {
    const { transaction, drift } = await pixFrom(envelope({ ...PIX_DATA, ...echoed }));

    expect(transaction).toMatchObject(echoed);
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
    const data = aRefusedData({ refusedReason: "Transação não autorizada" });
    const { transaction, drift } = await cardFrom(envelope(data));

    expect(transaction).toMatchObject({ ...data, status: "refused", amount: 1990, refusedAmount: 1990 });
    expect(drift).toEqual([]);
  });
});

const CARD_STATUSES = ["pending", "processing", "approved", "cancelled", "refunded", "chargedback"];

test.each([
  ...["pending", "approved", "cancelled", "expired", "refunded"].map((status) => ["pix", status, status]),
  ["pix", "canceled", "cancelled"], // the spelling of the pix list
  ...CARD_STATUSES.map((status) => ["card", status, status]),
])("a %s may have the status %s, which is read as %s", async (method, rawStatus, status) => {
  const { transaction, drift } =
    method === "pix"
      ? await pixFrom(envelope({ ...PIX_DATA, status: rawStatus }))
      : await cardFrom(envelope({ ...APPROVED_CARD_DATA, status: rawStatus }));

  expect(transaction).toMatchObject({ status, rawStatus });
  expect(drift).toEqual([]);
});

test.each([
  ["a pix", pixFrom, PIX_DATA],
  ["a card payment", cardFrom, APPROVED_CARD_DATA],
] as const)("the status 1 in the envelope of %s has no effect", async (_what, read, data) => {
  const { transaction, drift } = await read(envelope(data, { status: 1 }));

  expect(transaction).toMatchObject({ id: 4021, status: data["status"] });
  expect(drift).toEqual([]);
});
