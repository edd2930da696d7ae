import type { CreateCardParams, CreatePixParams, CreateTransactionParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  CUSTOMER_BODY,
  FULL_CARD,
  FULL_CARD_BODY,
  FULL_PIX,
  FULL_PIX_BODY,
  MINIMAL_PIX,
} from "./support/orders.ts";
import { APPROVED_CARD_DATA, envelope, PIX_DATA } from "./support/responses.ts";
import { createMerchant, serviceResponds } from "./support/service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function requestsForPix(order: CreatePixParams) {
  const { received } = serviceResponds(ENDPOINT, 201, envelope(PIX_DATA));
  await createMerchant().payments.transactions.createPix(order);
  return received;
}

async function requestsForCard(order: CreateCardParams) {
  const { received } = serviceResponds(ENDPOINT, 201, envelope(APPROVED_CARD_DATA));
  await createMerchant().payments.transactions.createCard(order);
  return received;
}

describe("a pix request", () => {
  test("is one POST to /api/v1/transactions with a JSON body and no query", async () => {
    const received = await requestsForPix(MINIMAL_PIX);

    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: "POST", target: "/api/v1/transactions" });
    expect(received[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("needs only the fields that the guide requires; missing fields are not sent", async () => {
    const [request] = await requestsForPix(MINIMAL_PIX);

    expect(JSON.parse(request?.text ?? "")).toEqual({
      paymentMethod: "pix",
      amount: 10_000,
      customer: CUSTOMER_BODY,
    });
  });

  test("has every field of the specification under its name, with pix.expiresInDays and no card", async () => {
    const [request] = await requestsForPix(FULL_PIX);

    expect(JSON.parse(request?.text ?? "")).toEqual(FULL_PIX_BODY);
  });
});

test("a card payment request has every field under its name, with installments and metadata as strings and the document as digits", async () => {
  const [request] = await requestsForCard(FULL_CARD);

  expect(JSON.parse(request?.text ?? "")).toEqual(FULL_CARD_BODY);
});

test.each<[string, CreateTransactionParams, object, object]>([
  ["pix", { ...FULL_PIX, paymentMethod: "pix" }, PIX_DATA, FULL_PIX_BODY],
  ["card", { ...FULL_CARD, paymentMethod: "credit_card" }, APPROVED_CARD_DATA, FULL_CARD_BODY],
])("paymentMethod selects the method: %s", async (_method, params, data, expected) => {
  const { received } = serviceResponds(ENDPOINT, 201, envelope({ ...data }));

  await createMerchant().payments.transactions.create(params);

  expect(JSON.parse(received[0]?.text ?? "")).toEqual(expected);
});
