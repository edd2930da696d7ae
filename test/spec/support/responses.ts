/** Responses of the specification, typed in by hand from "Resources and their fields". */

type Json = Record<string, unknown>;

/** A copy-and-paste code in the Brazilian central bank's format. */
const PIX_TEXT = "00020126330014br.gov.bcb.pix0111123456789095204000053039865802BR6304FF84";
const PIX_PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==";

export function envelope(data: Json, overrides: Json = {}): Json {
  return { success: true, message: "Transaction created", status: 201, data, ...overrides };
}

const COMMON = {
  amount: 10_000,
  companyId: 12,
  refundedAmount: 0,
  paidAmount: 0,
  acquirerType: "acquirer",
  secureId: "7f1c2a",
  secureUrl: "https://checkout.example/7f1c2a",
  externalId: "pedido-77",
  customer: {
    name: "Maria da Silva",
    email: "maria@cliente.example",
    phone: "11987654321",
    document: { number: "12345678909", type: "cpf" },
  },
  traceable: true,
  fees: 399,
  createdAt: "2026-03-01T12:30:00.000Z",
};

export const PIX_DATA = {
  ...COMMON,
  id: 81_001,
  status: "pending",
  installments: 1,
  refusedAmount: 0,
  paymentMethod: "pix",
  pix: { qrcode: PIX_PICTURE, qrcodeText: PIX_TEXT, expirationDate: "2026-03-02T12:30:00.000Z" },
};

export const REFUSED_CARD_DATA = {
  ...COMMON,
  id: 81_002,
  status: "refused",
  refusedReason: "Transação não autorizada",
  installments: 3,
  refusedAmount: 10_000,
  paymentMethod: "credit_card",
};

export const APPROVED_CARD_DATA = {
  ...COMMON,
  id: 81_003,
  status: "approved",
  installments: 3,
  refusedAmount: 0,
  paymentMethod: "credit_card",
};

export const COMPANY_DATA = {
  id: 12,
  name: "Loja da Maria LTDA",
  tradingName: "Loja da Maria",
  document: { type: "cnpj", number: "12345678000195" },
  status: "active",
  createdAt: "2025-05-05T00:00:00.000Z",
  paymentMethods: { credit_card: true, pix: true, boleto: false },
  limits: { transactionMaxAmount: 5_000_000, transactionMinAmount: 500 },
  configuration: {
    webhook: {
      url: "https://loja.example/webhook",
      events: ["transaction.approved", "transaction.canceled"],
    },
    notificationEmail: "financeiro@loja.example",
    autoCapture: true,
    antifraudEnabled: true,
  },
  settlement: {
    bank: { code: "341", branch: "0001", account: "12345-6" },
    schedule: "D+2",
    automaticTransfer: false,
  },
};

export const STATUS_BODY = {
  status: "degraded",
  timestamp: "2026-03-01T12:30:00.000Z",
  version: "1.8.0",
  environment: "production",
  services: { gateway: "online", database: "degraded", tokenizer: "offline", notifications: "online" },
  latency: { gateway: 41, database: 3, tokenizer: 0, notifications: 17 },
};

export const SELLERS_BODY = [
  { id: "sel_b", name: "Bia", document: "123.456.789-09", status: "pending" },
  { id: "sel_a", name: "Ana ME", document: "12.345.678/0001-95", status: "blocked" },
];

export const REVENUE_BODY = [
  { seller_id: "sel_a", seller_name: "Ana ME", revenue: { total: 10_250.75, month: 0.1 } },
];
