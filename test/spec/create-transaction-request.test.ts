import type { CreatePixParams, PaymentsClient } from "payments-sdk";
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
import { CREDENTIALS, createMerchant, serviceResponds } from "./support/service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function requestsForPix(order: CreatePixParams) {
  const { received } = serviceResponds(ENDPOINT, 201, envelope(PIX_DATA));
  await createMerchant().payments.transactions.createPix(order);
  return received;
}

describe("a pix request", () => {
  test("is one POST to /api/v1/transactions with both keys, a JSON body and no query", async () => {
    const received = await requestsForPix(MINIMAL_PIX);

    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: "POST", target: "/api/v1/transactions" });
    expect(received[0]?.headers.get("content-type")).toBe("application/json");
    expect(received[0]?.headers.get("authorization")).toBe(`Basic ${CREDENTIALS}`);
  });

  test("needs only the fields that the guide requires; missing fields are not sent", async () => {
    const [request] = await requestsForPix(MINIMAL_PIX);

    expect(JSON.parse(request?.text ?? "")).toEqual({
      paymentMethod: "pix",
      amount: 10_000,
      customer: CUSTOMER_BODY,
    });
  });
});

test.each<[string, (to: PaymentsClient) => PromiseLike<unknown>, object, object]>([
  ["createPix", (to) => to.transactions.createPix(FULL_PIX), PIX_DATA, FULL_PIX_BODY],
  ["createCard", (to) => to.transactions.createCard(FULL_CARD), APPROVED_CARD_DATA, FULL_CARD_BODY],
  [
    "create of a pix",
    (to) => to.transactions.create({ ...FULL_PIX, paymentMethod: "pix" }),
    PIX_DATA,
    FULL_PIX_BODY,
  ],
  [
    "create of a card payment",
    (to) => to.transactions.create({ ...FULL_CARD, paymentMethod: "credit_card" }),
    APPROVED_CARD_DATA,
    FULL_CARD_BODY,
  ],
])(
  "every field is sent under its name, metadata and installments as strings: %s",
  async (_by, call, data, body) => {
    const { received } = serviceResponds(ENDPOINT, 201, envelope({ ...data }));

    await call(createMerchant().payments);

    expect(JSON.parse(received[0]?.text ?? "")).toEqual(body);
  },
);
