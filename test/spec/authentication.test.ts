import type { PaymentsClient } from "payments-sdk";
import { expect, test } from "vitest";
import { MINIMAL_PIX } from "./support/orders.ts";
import {
  COMPANY_DATA,
  envelope,
  PIX_DATA,
  REVENUE_BODY,
  SELLERS_BODY,
  STATUS_BODY,
} from "./support/responses.ts";
import { createMerchant, serviceResponds } from "./support/service.ts";

/** base64 of `sk_test_secret:pk_test_public`, encoded with another tool. */
const CREDENTIALS = "c2tfdGVzdF9zZWNyZXQ6cGtfdGVzdF9wdWJsaWM=";

type Call = (payments: PaymentsClient) => Promise<unknown>;

test.each<[string, number, object, Call]>([
  ["POST /api/v1/transactions", 201, envelope(PIX_DATA), (to) => to.transactions.createPix(MINIMAL_PIX)],
  ["GET /api/v1/company", 200, { success: true, data: COMPANY_DATA }, (to) => to.company.retrieve()],
  ["GET /sellers", 200, SELLERS_BODY, (to) => to.sellers.list()],
  ["GET /sellers/revenue", 200, REVENUE_BODY, (to) => to.sellers.revenue()],
])(
  "Basic authentication: the secret key is the user name, the public key the password: %s",
  async (endpoint, status, body, call) => {
    const { received } = serviceResponds(endpoint, status, body);

    await call(createMerchant().payments);

    expect(received[0]?.headers.get("authorization")).toBe(`Basic ${CREDENTIALS}`);
  },
);

test("GET /api/v1/status sends no key", async () => {
  const { received } = serviceResponds("GET /api/v1/status", 200, STATUS_BODY);

  await createMerchant().payments.status.retrieve();

  expect(JSON.stringify([received[0]?.target, ...(received[0]?.headers ?? [])])).not.toMatch(/sk_|pk_|Basic/);
});
