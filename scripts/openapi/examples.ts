/** Bodies of the service, as a merchant sees them. None belongs to a person. */

const CUSTOMER = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "52998224725" },
};

/** What both methods have in common: every field of the endpoint's table. */
const ORDER = {
  amount: 5990,
  customer: CUSTOMER,
  externalRef: "order-1001",
  postbackUrl: "https://shop.example/postbacks",
  traceable: true,
  items: [
    {
      title: "Camiseta",
      unitPrice: 5990,
      quantity: 1,
      tangible: true,
      product_image: "https://shop.example/shirt.png",
    },
  ],
  ip: "203.0.113.7",
  metadata: '{"cart":"c-77"}',
};

const CARD_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE3OTYzOTAwMDAsImV4cCI6MTc5NjM5MDMwMH0.c2lnbmF0dXJl";

export const CARD_TOKEN_EXAMPLES = {
  request: {
    number: "4111111111111111",
    holderName: "MARIA EXEMPLO",
    expirationMonth: "12",
    expirationYear: "2039",
    cvv: "123",
  },
  response: CARD_TOKEN,
};

export const REQUEST_EXAMPLES = {
  pix: {
    summary: "A pix, with every field of the endpoint's table",
    value: { paymentMethod: "pix", ...ORDER, pix: { expiresInDays: 1 } },
  },
  minimalPix: {
    summary: "A pix, with what the pix guide requires",
    value: {
      paymentMethod: "pix",
      amount: 5990,
      customer: { name: CUSTOMER.name, email: CUSTOMER.email, document: CUSTOMER.document },
    },
  },
  card: {
    summary: "A credit card",
    value: { paymentMethod: "credit_card", ...ORDER, installments: "1", card: { hash: CARD_TOKEN } },
  },
};

function created(transaction: object): object {
  return { success: true, message: "Transaction created", status: 201, data: transaction };
}

const TRANSACTION = {
  id: 880000001,
  status: "approved",
  amount: ORDER.amount,
  companyId: 4010,
  installments: 1,
  refusedAmount: 0,
  paidAmount: 0,
  refundedAmount: 0,
  paymentMethod: "credit_card",
  metadata: ORDER.metadata,
  acquirerType: "sandbox",
  secureId: "d2f0c1e4-6f5b-4c1e-9a55-0c3b7f7e1a20",
  secureUrl: "https://pay.example/checkout/d2f0c1e4-6f5b-4c1e-9a55-0c3b7f7e1a20",
  externalId: ORDER.externalRef,
  customer: CUSTOMER,
  traceable: true,
  fees: 239,
  postBackUrl: ORDER.postbackUrl,
  createdAt: "2026-12-04T12:00:00.000Z",
};

export const RESPONSE_EXAMPLES = {
  pendingPix: {
    summary: "A pix that waits to be paid",
    value: created({
      ...TRANSACTION,
      status: "pending",
      paymentMethod: "pix",
      fees: 59,
      pix: {
        qrcode: "data:image/png;base64,iVBORw0KGgo=",
        qrcodeText:
          "00020101021226370014br.gov.bcb.pix2515pay.example/pix5204000053039865802BR5912LOJA EXEMPLO6009SAO PAULO62070503***63049B21",
        expirationDate: "2026-12-05T12:00:00.000Z",
      },
    }),
  },
  approvedCard: { summary: "A card that was charged", value: created(TRANSACTION) },
  refusedCard: {
    summary: "A card that was refused, which is a 201 as well",
    value: created({
      ...TRANSACTION,
      status: "refused",
      refusedReason: "Insufficient limit",
      refusedAmount: ORDER.amount,
      fees: 0,
    }),
  },
};

export const COMPANY_EXAMPLE = {
  success: true,
  data: {
    id: 4010,
    name: "Loja Exemplo Ltda",
    tradingName: "Loja Exemplo",
    document: { type: "cnpj", number: "12345678000195" },
    status: "active",
    createdAt: "2025-01-15T12:00:00.000Z",
    paymentMethods: { credit_card: true, pix: true, boleto: false },
    limits: { transactionMaxAmount: 10_000_000, transactionMinAmount: 100 },
    configuration: {
      webhook: {
        url: "https://shop.example/events",
        events: ["transaction.approved", "transaction.canceled"],
      },
      notificationEmail: "financeiro@shop.example",
      autoCapture: true,
      antifraudEnabled: true,
    },
    settlement: {
      bank: { code: "001", branch: "0001", account: "12345-6" },
      schedule: "D+2",
      automaticTransfer: true,
    },
  },
};

export const STATUS_EXAMPLE = {
  status: "online",
  timestamp: "2026-12-04T12:00:00.000Z",
  version: "v1",
  environment: "production",
  services: { gateway: "online", database: "online", tokenizer: "online", notifications: "online" },
  latency: { gateway: 12, database: 5, tokenizer: 21, notifications: 34 },
};

export const SELLERS_EXAMPLE = [
  { id: "seller_1", name: "Loja Exemplo", document: "12.345.678/0001-95", status: "active" },
];

export const REVENUE_EXAMPLE = [
  { seller_id: "seller_1", seller_name: "Loja Exemplo", revenue: { total: 18450.9, month: 1299.5 } },
];

export const POSTBACK_EXAMPLE = {
  id: TRANSACTION.id,
  status: "approved",
  externalRef: ORDER.externalRef,
  amount: ORDER.amount,
  transactionDate: "2026-12-04T12:03:20.000Z",
};

export const UNAUTHORIZED_EXAMPLE = { success: false, message: "Unauthorized" };

export const VALIDATION_ERROR_EXAMPLE = {
  success: false,
  message: "Validation Error",
  errors: [{ field: "customer.email", message: "Is required" }],
};
