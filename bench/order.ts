// The payment that the benchmarks create, and what the service returns.
import type { CreateTransactionParams } from "payments-sdk";

/** The parameters of a create call, which every contender gets. */
export type Order = CreateTransactionParams;

/** Sends an order and returns the id from the object that the library made of the response. */
export type Create = (order: Order) => Promise<unknown>;
/** Loads a library and connects it to a service. Only ours has events: with `hasListener`, a listener reads them. */
export type Connect = (baseUrl: string, hasListener: boolean) => Create | Promise<Create>;

export const PUBLIC_KEY = "pk_bench_1a2b3c4d5e6f";
export const SECRET_KEY = "sk_bench_9f8e7d6c5b4a";
const CREDENTIALS = btoa(`${PUBLIC_KEY}:${SECRET_KEY}`);
export const AUTHORIZATION = `Basic ${CREDENTIALS}`;

/** The transaction id in every response. */
export const TRANSACTION_ID = 4021;
/** The `x-request-id` of every response. */
export const REQUEST_ID = "req_7f1c2b6e6f5a4d1a";

const AMOUNT = 14_390;
const CUSTOMER = {
  name: "Maria Exemplo",
  email: "maria@loja.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;
/** With a signature, as PostbackUrlSigner writes it. */
const POSTBACK_URL = `https://loja.example/postbacks/orders?signature=eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.${"c2lnbmF0".repeat(9)}`;
const METADATA = {
  cart: "c-2026-11-20-7731",
  channel: "web",
  campaign: "natal",
  seller: 12,
  note: "Entregar depois das 18 h",
};
/** As long as a card token of the service. A token lives for five minutes from `iat`: this one until 2100. */
const CLAIMS = { sub: "c".repeat(150), iat: 4_102_444_500, exp: 4_102_444_800 };
const CARD_TOKEN = `eyJhbGciOiJIUzI1NiJ9.${btoa(JSON.stringify(CLAIMS)).replace(/=+$/, "")}.${"c2lnbmF0dXJl".repeat(4)}`;

/** An order of about 1.1 kB as JSON. */
export function anOrder(externalRef: string): Order {
  return {
    amount: AMOUNT,
    customer: CUSTOMER,
    externalRef,
    postbackUrl: POSTBACK_URL,
    traceable: true,
    items: [
      { title: "Livro de receitas, capa dura", unitPrice: 8990, quantity: 1, tangible: true },
      { title: "Caderno pautado, 200 folhas", unitPrice: 2450, quantity: 2, tangible: true },
      { title: "Embrulho para presente", unitPrice: 500, quantity: 1, tangible: false },
    ],
    ip: "203.0.113.7",
    metadata: METADATA,
    paymentMethod: "credit_card",
    installments: 3,
    card: { hash: CARD_TOKEN },
  };
}

const PAYMENTS = {
  card: { status: "approved", refusedAmount: 0 },
  "refused card": { status: "refused", refusedAmount: AMOUNT, refusedReason: "Insufficient limit" },
};

/** A card payment that is approved or refused. */
export type Kind = keyof typeof PAYMENTS;

/** The body of the service's response, as JSON: 1.2 kB. */
export function aResponseBody(kind: Kind): string {
  const data = {
    id: TRANSACTION_ID,
    amount: AMOUNT,
    companyId: 7,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod: "credit_card",
    installments: 3,
    ...PAYMENTS[kind],
    metadata: JSON.stringify(METADATA),
    acquirerType: "acme",
    secureId: "7f1c2b6e-6f5a-4d1a-9a52-3d0f6c1b2a90",
    secureUrl: `https://pay.example/checkout/7f1c2b6e-6f5a-4d1a-9a52-3d0f6c1b2a90?session=${"c2Vzc2lvbg".repeat(20)}`,
    externalId: "",
    customer: CUSTOMER,
    traceable: true,
    fees: 499,
    postBackUrl: POSTBACK_URL,
    createdAt: "2026-11-20T12:00:00.000Z",
  };
  return JSON.stringify({ success: true, message: "Transaction created", status: 201, data });
}
