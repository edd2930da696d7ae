import type { CreateCardParams, CreatePixParams, CreateTransactionParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { APPROVED_CARD_DATA, envelope, PIX_DATA } from "./support/answers.ts";
import {
  CUSTOMER_ON_THE_WIRE,
  FEW_PIX,
  FULL_CARD,
  FULL_CARD_ON_THE_WIRE,
  FULL_PIX,
  FULL_PIX_ON_THE_WIRE,
} from "./support/orders.ts";
import { aMerchant, theServiceAnswers } from "./support/the-service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function arrivalOfPix(order: CreatePixParams) {
  const { arrived } = theServiceAnswers(ENDPOINT, 201, envelope(PIX_DATA));
  await aMerchant().payments.transactions.createPix(order);
  return arrived;
}

async function arrivalOfCard(order: CreateCardParams) {
  const { arrived } = theServiceAnswers(ENDPOINT, 201, envelope(APPROVED_CARD_DATA));
  await aMerchant().payments.transactions.createCard(order);
  return arrived;
}

describe("a pix on the wire", () => {
  test("is one POST to /api/v1/transactions with a JSON body and no query", async () => {
    const arrived = await arrivalOfPix(FEW_PIX);

    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: "POST", target: "/api/v1/transactions" });
    expect(arrived[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("needs no more than what the guide requires: what is left out is not sent", async () => {
    const [arrival] = await arrivalOfPix(FEW_PIX);

    expect(JSON.parse(arrival?.text ?? "")).toEqual({
      paymentMethod: "pix",
      amount: 10_000,
      customer: CUSTOMER_ON_THE_WIRE,
    });
  });

  test("carries every field of the specification under its name there, pix.expiresInDays and no card", async () => {
    const [arrival] = await arrivalOfPix(FULL_PIX);

    expect(JSON.parse(arrival?.text ?? "")).toEqual(FULL_PIX_ON_THE_WIRE);
  });
});

describe("a card payment on the wire", () => {
  test("carries every field under its name there, text for installments and metadata, a document in digits", async () => {
    const [arrival] = await arrivalOfCard(FULL_CARD);

    expect(JSON.parse(arrival?.text ?? "")).toEqual(FULL_CARD_ON_THE_WIRE);
  });
});

test.each<[string, CreateTransactionParams, object, object]>([
  ["pix", { ...FULL_PIX, paymentMethod: "pix" }, PIX_DATA, FULL_PIX_ON_THE_WIRE],
  ["card", { ...FULL_CARD, paymentMethod: "credit_card" }, APPROVED_CARD_DATA, FULL_CARD_ON_THE_WIRE],
])("paymentMethod selects the method: %s", async (_method, params, data, wire) => {
  const { arrived } = theServiceAnswers(ENDPOINT, 201, envelope({ ...data }));

  await aMerchant().payments.transactions.create(params);

  expect(JSON.parse(arrived[0]?.text ?? "")).toEqual(wire);
});
