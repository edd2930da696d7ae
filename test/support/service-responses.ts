import { json, type Reply } from "./http-server.ts";

/** Valid responses of the service, typed in by hand from the specification's text. */

/** A pix code as the service might send it; it begins like every EMV payload. */
export const PIX_CODE =
  "00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR630425BB";
/** The beginning of a PNG in base64. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";

type Json = Record<string, unknown>;

function aTransaction(overrides: Json): Json {
  return {
    id: 4021,
    status: "pending",
    amount: 1990,
    companyId: 7,
    installments: 1,
    refusedAmount: 0,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod: "pix",
    acquirerType: "acme",
    secureId: "sec-1",
    secureUrl: "https://pay.example/sec-1",
    externalId: "order-1",
    customer: {
      name: "Ana Exemplo",
      email: "ana@loja.example",
      phone: "11999990000",
      document: { number: "52998224725", type: "cpf" },
    },
    traceable: true,
    fees: 99,
    createdAt: "2026-11-20T12:00:00.000Z",
    ...overrides,
  };
}

/** `data` of a created pix. */
export function aPixData(overrides: Json = {}): Json {
  const expirationDate = "2026-11-21T12:00:00.000Z";
  const pix = { qrcode: `data:image/png;base64,${PNG}`, qrcodeText: PIX_CODE, expirationDate };
  return aTransaction({ pix, ...overrides });
}

/** `data` of an approved card payment. */
export function aCardData(overrides: Json = {}): Json {
  return aTransaction({ paymentMethod: "credit_card", status: "approved", ...overrides });
}

/** `data` of a declined card payment. */
export function aRefusedData(overrides: Json = {}): Json {
  const refused = { status: "refused", refusedReason: "Insufficient limit", refusedAmount: 1990 };
  return aCardData({ ...refused, ...overrides });
}

export function envelope(data: unknown, overrides: Json = {}): Json {
  return { success: true, message: "Transaction created", status: 201, data, ...overrides };
}

/** 201 with a transaction in its envelope: by default a pix for the order in the request. */
export function created(data?: Json): Reply {
  return async (exchange) => {
    await exchange.requestRead;
    const { externalRef } = JSON.parse(exchange.arrival.body) as Json;
    json(201, envelope(data ?? aPixData({ externalId: externalRef })))(exchange);
  };
}

export function aCompany(overrides: Json = {}): Json {
  return {
    id: 7,
    name: "Loja Exemplo LTDA",
    tradingName: "Loja Exemplo",
    document: { type: "cnpj", number: "12345678000195" },
    status: "active",
    createdAt: "2025-01-02T03:04:05.000Z",
    paymentMethods: { credit_card: true, pix: true, boleto: false },
    limits: { transactionMaxAmount: 1_000_000, transactionMinAmount: 100 },
    configuration: {
      webhook: { url: "https://loja.example/all", events: ["transaction.approved"] },
      notificationEmail: "financeiro@loja.example",
      autoCapture: true,
      antifraudEnabled: false,
    },
    settlement: {
      bank: { code: "001", branch: "1234", account: "56789-0" },
      schedule: "D+30",
      automaticTransfer: true,
    },
    ...overrides,
  };
}

export function aStatus(overrides: Json = {}): Json {
  const services = { gateway: "online", database: "online", tokenizer: "online", notifications: "online" };
  return {
    status: "online",
    timestamp: "2026-11-20T12:00:00.000Z",
    version: "1.4.2",
    environment: "sandbox",
    services,
    latency: { gateway: 12, database: 3, tokenizer: 8, notifications: 20 },
    ...overrides,
  };
}

export function aSeller(overrides: Json = {}): Json {
  return { id: "sel_1", name: "Bia", document: "529.982.247-25", status: "active", ...overrides };
}

export function aRevenue(overrides: Json = {}): Json {
  return { seller_id: "sel_1", seller_name: "Bia", revenue: { total: 1234.56, month: 19.99 }, ...overrides };
}

/** 200 with a healthy status report. */
export const healthy: Reply = json(200, aStatus());
