import type { PaymentsClient } from "payments-sdk";
import { expect, test } from "vitest";
import { created } from "../support/service-responses.ts";
import { sentRequest, startMerchant } from "../support/start-merchant.ts";

/** Base64 of `SECRET_KEY:PUBLIC_KEY`, encoded with another tool. */
const CREDENTIALS = "c2tfdGVzdF85ZjhlN2Q2YzViNGE6cGtfdGVzdF8xYTJiM2M0ZDVlNmY=";

// Orders with the fields of "POST /api/v1/transactions", and the bodies that they must be sent as; typed in by hand.
const CUSTOMER = {
  name: "Maria da Silva",
  email: "maria@cliente.example",
  document: { type: "cpf" as const, number: "123.456.789-09" },
};

/** The same customer in a request: digits only. */
const CUSTOMER_BODY = { ...CUSTOMER, document: { type: "cpf", number: "12345678909" } };

/** The fields that the endpoint's description requires for both methods, besides the customer. */
const COMMON = {
  amount: 10_000,
  externalRef: "pedido-77",
  postbackUrl: "https://loja.example/postback",
  traceable: true,
  items: [
    { title: "Camiseta", unitPrice: 4990, quantity: 2, tangible: true, product_image: "" },
    { title: "Curso", unitPrice: 20, quantity: 1, tangible: false },
  ],
  ip: "203.0.113.9",
};

const PIX = { ...COMMON, metadata: { carrinho: 77, cupom: "NATAL" }, pix: { expiresInDays: 3 } };
const CARD = { ...COMMON, metadata: { carrinho: 77 }, installments: 3, card: { hash: "tok_c0ffee" } };
const FULL_PIX = { ...PIX, customer: { ...CUSTOMER, phone: "11987654321" } };
const FULL_CARD = { ...CARD, customer: { ...CUSTOMER, phone: "11987654321" } };
const BODY = { ...COMMON, customer: { ...CUSTOMER_BODY, phone: "11987654321" } };
const PIX_BODY = {
  ...BODY,
  paymentMethod: "pix",
  metadata: '{"carrinho":77,"cupom":"NATAL"}',
  pix: { expiresInDays: 3 },
};
const CARD_BODY = {
  ...BODY,
  paymentMethod: "credit_card",
  metadata: '{"carrinho":77}',
  installments: "3",
  card: { hash: "tok_c0ffee" },
};

test("a pix needs only the fields that the guide requires, and is one POST with both keys and no query", async () => {
  const { payments, arrivals } = await startMerchant(created());

  await payments.transactions.createPix({ amount: 10_000, customer: CUSTOMER });

  const headers = { "content-type": "application/json", authorization: `Basic ${CREDENTIALS}` };
  expect(arrivals).toMatchObject([{ method: "POST", url: "/api/v1/transactions", headers }]);
  const body = { paymentMethod: "pix", amount: 10_000, customer: CUSTOMER_BODY }; // missing fields are not sent
  expect(JSON.parse(arrivals[0]?.body ?? "")).toEqual(body);
});

test.each<[string, (to: PaymentsClient) => PromiseLike<unknown>, object]>([
  ["createPix", (to) => to.transactions.createPix(FULL_PIX), PIX_BODY],
  ["createCard", (to) => to.transactions.createCard(FULL_CARD), CARD_BODY],
  ["create of a pix", (to) => to.transactions.create({ ...FULL_PIX, paymentMethod: "pix" }), PIX_BODY],
  [
    "create of a card payment",
    (to) => to.transactions.create({ ...FULL_CARD, paymentMethod: "credit_card" }),
    CARD_BODY,
  ],
])(
  "every field is sent under its name, metadata and installments as strings: %s",
  async (_by, call, body) => {
    const sent = await sentRequest(call);

    expect(sent.body).toEqual(body);
  },
);
