import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/spec/endpoints.ts";
import {
  CARD_TOKEN_LIFETIME_MS,
  PIX_EXPIRY_DAYS,
  SELLERS_PER_PAGE,
  STATUS_RATE_LIMIT,
} from "../../src/spec/limits.ts";
import { TRANSACTION_STATUSES } from "../../src/spec/transaction-status.ts";
import {
  COMPANY_STATUSES,
  COMPONENT_STATUSES,
  COMPONENTS,
  DOCUMENT_TYPES,
  ENVIRONMENTS,
  EVENT_NAMES,
  PAYMENT_METHODS,
  PUBLIC_KEY_PREFIX,
  SECRET_KEY_PREFIX,
  SELLER_STATUSES,
  SERVICE_STATUSES,
} from "../../src/spec/values.ts";

const sorted = (values: readonly string[]) => [...values].sort();

describe("the enumerations of the specification", () => {
  const FINAL = ["refused", "cancelled", "expired", "refunded", "chargedback"];
  const TRANSACTION = ["pending", "processing", "approved", ...FINAL];
  const EVENTS = ["approved", "refused", "refunded", "chargedback", "canceled"];

  test.each<[string, readonly string[], readonly string[]]>([
    ["payment methods: no boleto, no debit card", PAYMENT_METHODS, ["credit_card", "pix"]],
    ["transaction statuses", TRANSACTION_STATUSES, TRANSACTION],
    ["document types", DOCUMENT_TYPES, ["cnpj", "cpf"]],
    ["company statuses", COMPANY_STATUSES, ["active", "pending", "suspended", "inactive"]],
    ["statuses of the service", SERVICE_STATUSES, ["online", "degraded"]],
    ["statuses of a component", COMPONENT_STATUSES, ["online", "degraded", "offline"]],
    ["components", COMPONENTS, ["gateway", "database", "tokenizer", "notifications"]],
    ["environments", ENVIRONMENTS, ["production", "sandbox"]],
    ["seller statuses", SELLER_STATUSES, ["active", "inactive", "pending", "blocked"]],
    ["event names, with one l in the cancellation", EVENT_NAMES, EVENTS.map((name) => `transaction.${name}`)],
  ])("%s", (_what, actual, specified) => {
    expect(sorted(actual)).toEqual(sorted(specified));
  });

  test("a secret key starts with sk_, a public key with pk_", () => {
    expect([SECRET_KEY_PREFIX, PUBLIC_KEY_PREFIX]).toEqual(["sk_", "pk_"]);
  });
});

test.each([
  ["requests to the status endpoint per IP per minute", STATUS_RATE_LIMIT.perMinute, 60],
  ["requests to the status endpoint per IP per hour", STATUS_RATE_LIMIT.perHour, 300],
  ["minutes that a card token is valid", CARD_TOKEN_LIFETIME_MS / 60_000, 5],
  ["days until a pix expires by default", PIX_EXPIRY_DAYS.default, 1],
  ["days until a pix expires at most", PIX_EXPIRY_DAYS.max, 30],
  ["sellers per page at most", SELLERS_PER_PAGE, 100],
])("the limits of the specification: %s: %d", (_what, actual, specified) => {
  expect(actual).toBe(specified);
});

// Typed in from "Endpoints", "Authentication" and "General rules", rule 3. Other tests send a request to each.
test("the endpoints have the statuses of the specification, and only one of them charges", () => {
  const rows = Object.values(endpoints).map(
    ({ name, method, path, auth, responseFormat, statuses, charges }) =>
      [name, method, path, auth, responseFormat, statuses.join(), charges].join(" "),
  );

  expect(rows).toEqual([
    "transactions.create POST /api/v1/transactions basic json 201,400,401 true",
    "cardTokens.create POST /api/v1/card-token publicKey text 200,400,401 false",
    "company.retrieve GET /api/v1/company basic json 200,401 false", // the specification shows only the 401
    "status.retrieve GET /api/v1/status none json 200,429 false", // the specification shows only the 429
    "sellers.list GET /sellers basic json 200,401 false",
    "sellers.revenue GET /sellers/revenue basic json 200,401 false",
  ]);
});
