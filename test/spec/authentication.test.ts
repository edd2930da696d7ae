import type { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  COMPANY_DATA,
  envelope,
  PIX_DATA,
  REVENUE_BODY,
  SELLERS_BODY,
  STATUS_BODY,
} from "./support/answers.ts";
import { FEW_PIX } from "./support/orders.ts";
import { aMerchant, theServiceAnswers } from "./support/the-service.ts";

/** base64 of `sk_test_secret:pk_test_public`, made with another tool. */
const CREDENTIALS = "c2tfdGVzdF9zZWNyZXQ6cGtfdGVzdF9wdWJsaWM=";

type Call = (payments: PaymentsClient) => Promise<unknown>;

describe("Basic authentication: the secret key is the user name, the public key the password", () => {
  test.each<[string, number, object, Call]>([
    ["POST /api/v1/transactions", 201, envelope(PIX_DATA), (to) => to.transactions.createPix(FEW_PIX)],
    ["GET /api/v1/company", 200, { success: true, data: COMPANY_DATA }, (to) => to.company.retrieve()],
    ["GET /sellers", 200, SELLERS_BODY, (to) => to.sellers.list()],
    ["GET /sellers/revenue", 200, REVENUE_BODY, (to) => to.sellers.revenue()],
  ])("%s", async (endpoint, status, answer, call) => {
    const { arrived } = theServiceAnswers(endpoint, status, answer);

    await call(aMerchant().payments);

    expect(arrived[0]?.headers.get("authorization")).toBe(`Basic ${CREDENTIALS}`);
  });
});

describe("no authentication", () => {
  test("GET /api/v1/status carries no key at all", async () => {
    const { arrived } = theServiceAnswers("GET /api/v1/status", 200, STATUS_BODY);

    await aMerchant().payments.status.retrieve();

    expect(JSON.stringify([arrived[0]?.target, ...(arrived[0]?.headers ?? [])])).not.toMatch(/sk_|pk_|Basic/);
  });
});

describe("a failed authentication gives 401", () => {
  const CARD = {
    number: "4111111111111111",
    holderName: "MARIA",
    expirationMonth: "01",
    expirationYear: "2031",
    cvv: "123",
  };
  const UNAUTHORIZED = { success: false, message: "Unauthorized" };

  test.each<[string, Call]>([
    ["POST /api/v1/transactions", (to) => to.transactions.createPix(FEW_PIX)],
    ["GET /api/v1/company", (to) => to.company.retrieve()],
    ["GET /sellers", (to) => to.sellers.list()],
    ["GET /sellers/revenue", (to) => to.sellers.revenue()],
    ["POST /api/v1/card-token", (to) => to.cardTokens.create(CARD)],
  ])("of %s", async (endpoint, call) => {
    theServiceAnswers(endpoint, 401, UNAUTHORIZED);

    const answer = call(aMerchant().payments);

    await expect(answer).rejects.toMatchObject({
      code: "authentication_failed",
      status: 401,
      outcome: endpoint === "POST /api/v1/transactions" ? "rejected" : "not_applicable",
    });
  });
});
