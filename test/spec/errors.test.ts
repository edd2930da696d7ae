import { describe, expect, test } from "vitest";
import { MINIMAL_PIX } from "./support/orders.ts";
import { createMerchant, serviceResponds } from "./support/service.ts";

const CARD = {
  number: "4111111111111111",
  holderName: "MARIA",
  expirationMonth: 1,
  expirationYear: 2031,
  cvv: "123",
};

describe("the error responses of the specification", () => {
  test("a validation error has an issue for each invalid field, with its dotted path", async () => {
    serviceResponds("POST /api/v1/transactions", 400, {
      success: false,
      message: "Validation Error",
      errors: [
        { field: "customer.document.number", message: "Invalid document" },
        { field: "items.0.unitPrice", message: "Must be an integer" },
      ],
    });

    const create = createMerchant().payments.transactions.createPix(MINIMAL_PIX);

    await expect(create).rejects.toMatchObject({
      code: "validation_failed",
      status: 400,
      outcome: "rejected",
      issues: [
        { field: "customer.document.number", message: "Invalid document" },
        { field: "items.0.unitPrice", message: "Must be an integer" },
      ],
    });
  });

  test("400 on a tokenization is a validation error without an outcome", async () => {
    serviceResponds("POST /api/v1/card-token", 400, "invalid card");

    const token = createMerchant().payments.cardTokens.create(CARD);

    await expect(token).rejects.toMatchObject({ code: "validation_failed", outcome: "not_applicable" });
  });

  test("429 on the status endpoint is a RateLimitError", async () => {
    serviceResponds("GET /api/v1/status", 429, "");

    const status = createMerchant().payments.status.retrieve();

    await expect(status).rejects.toMatchObject({ code: "rate_limited", status: 429 });
  });
});
