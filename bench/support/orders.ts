import type { CreateTransactionParams } from "payments-sdk";

/** What a contender is given: the parameters of a create of ours, which is what the endpoint takes. */
export type Order = CreateTransactionParams;

/** What is bought: a card, or a pix whose answer holds a picture of so many kB. */
export const KINDS = ["card", "pix8", "pix20"] as const;
export type Kind = (typeof KINDS)[number];

/** The id in every answer. */
export const ANSWER_ID = 4021;

const CUSTOMER = {
  name: "Maria Exemplo",
  email: "maria@loja.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;
/** With a signature in it, as a signer of postback URLs leaves them. */
const SIGNATURE =
  "eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJyIjoiUmVmZXJlbmNlIiwiYSI6MTQzOTB9.c2lnbmF0dXJlLW9mLTMyLWJ5dGVz";
const POSTBACK_URL = `https://loja.example/postbacks/orders?signature=${SIGNATURE}`;
const ITEMS = [
  { title: "Livro de receitas, capa dura", unitPrice: 8990, quantity: 1, tangible: true },
  { title: "Caderno pautado, 200 folhas", unitPrice: 2450, quantity: 2, tangible: true },
  { title: "Embrulho para presente", unitPrice: 500, quantity: 1, tangible: false },
];
const AMOUNT = 14_390;
const METADATA = {
  cart: "c-2026-11-20-7731",
  channel: "web",
  campaign: "natal",
  seller: 12,
  note: "Entregar depois das 18 h",
};
/** As long as a token of the service: a JWT. */
const CLAIMS = { sub: "c".repeat(150), iat: 1_772_368_200, exp: 4_102_444_800 };
const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${btoa(JSON.stringify(CLAIMS)).replace(/=+$/, "")}.${"c2lnbmF0dXJl".repeat(4)}`;

/** An order with a reference of its own, of about 1.1 kB as JSON. */
export function anOrder(kind: Kind, number: number): Order {
  const common = {
    amount: AMOUNT,
    customer: CUSTOMER,
    externalRef: `order-${number}`,
    postbackUrl: POSTBACK_URL,
    traceable: true,
    items: ITEMS,
    ip: "203.0.113.7",
    metadata: METADATA,
  };
  if (kind === "card") {
    return { ...common, paymentMethod: "credit_card", installments: 3, card: { hash: TOKEN } };
  }
  return { ...common, paymentMethod: "pix", pix: { expiresInDays: 2 } };
}

const PICTURE_BYTES = { card: 0, pix8: 8_000, pix20: 20_000 } as const;

/** What the server answers: the specification's envelope, and at its end what single contenders insist on. */
export function anAnswer(kind: Kind): object {
  const payment =
    kind === "card"
      ? { status: "approved", paymentMethod: "credit_card", installments: 3 }
      : { status: "pending", paymentMethod: "pix", pix: aPix(PICTURE_BYTES[kind]) };
  const data = {
    id: ANSWER_ID,
    amount: AMOUNT,
    companyId: 7,
    refusedAmount: 0,
    paidAmount: 0,
    refundedAmount: 0,
    ...payment,
    metadata: JSON.stringify(METADATA),
    acquirerType: "acme",
    secureId: "7f1c2b6e-6f5a-4d1a-9a52-3d0f6c1b2a90",
    secureUrl: `https://pay.example/checkout/7f1c2b6e-6f5a-4d1a-9a52-3d0f6c1b2a90?session=${"c2Vzc2lvbg".repeat(20)}`,
    externalId: "", // one answer for every order: echoing each reference would be the work of the server
    customer: CUSTOMER,
    traceable: true,
    fees: 499,
    postBackUrl: POSTBACK_URL,
    createdAt: "2026-11-20T12:00:00.000Z",
    items: [], // paddle reads both lists
    payments: [],
  };
  return {
    success: true,
    message: "Transaction created",
    status: 201,
    data,
    payment: { id: String(ANSWER_ID) }, // square
    pspReference: String(ANSWER_ID), // adyen
  };
}

function aPix(pictureBytes: number): object {
  return {
    qrcode: `data:image/png;base64,iVBORw0KGgo${"iVBORw0KGgoAAAANSUhEUgAA".repeat(Math.ceil(pictureBytes / 24))}`,
    qrcodeText:
      "00020101021226850014br.gov.bcb.pix2563pix.example/qr/v2/9d36b84f5204000053039865802BR6304ABCD",
    expirationDate: "2026-11-22T12:00:00.000Z",
  };
}

/** As much of an answer as the contenders look at. */
export interface Answer {
  readonly data: { readonly id: number };
}

/** The card token of an order; of a pix its reference, which serves those who insist on a source of the money. */
export function tokenOf(order: Order): string {
  if (order.paymentMethod === "pix") return order.externalRef ?? "";
  return typeof order.card.hash === "string" ? order.card.hash : order.card.hash.value;
}
