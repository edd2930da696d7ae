import { createGateway, type GatewayOptions, TEST_CARDS } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, bodyOf, merchantOf } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");

async function payWith(card: object, options: GatewayOptions = {}, payment: object = {}) {
  const gateway = createGateway({ now: NOON, ...options });
  const { create, token } = merchantOf(gateway);
  const response = await create(aCardPayment(await token(aCard(card)), payment));
  const { data } = await bodyOf(response);
  return { gateway, response, data };
}

describe("card numbers choose the outcome", () => {
  test.each([
    ["4111111111111111", "approved", "approved"],
    ["4242424242424242", "approved", "approved"],
    ["5555555555554444", "approved", "approved"],
    ["4024007153763191", "approved", "approved"], // fails Luhn
    ["6011111111111117", "approved", "approved"], // in no table
    ["4000000000000002", "refused", "not_authorized"],
    ["4000000000009995", "refused", "insufficient_limit"],
    ["4000000000000127", "refused", "wrong_cvv"],
    ["4000000000000069", "refused", "expired_card"],
    ["4100000000000019", "refused", "antifraud"],
    ["4000000000009979", "refused", "stolen_card"],
    ["4000000000009987", "refused", "lost_card"],
    ["4000000000006975", "refused", "too_often"],
    ["4000000000000119", "refused", "issuer_unavailable"],
    ["4000000000003220", "processing", "processing_then_approved"],
    ["4000008400001629", "processing", "processing_then_refused"],
    ["4000000000000259", "approved", "approved_then_charged_back"],
  ])("%s is %s: %s", async (number, status, scenario) => {
    const { gateway, response, data } = await payWith({ number });

    expect(response.status).toBe(201); // a declined one, too
    expect(data.status).toBe(status);
    expect(data).not.toHaveProperty("scenario");
    expect(gateway.transactions[0]?.scenario).toBe(scenario);
  });

  test("each row of the table is one number, and each scenario that is not approved one row", () => {
    const numbers = TEST_CARDS.map(({ number }) => number);
    const scenarios = TEST_CARDS.map(({ scenario }) => scenario).filter((name) => name !== "approved");

    expect(new Set(numbers).size).toBe(numbers.length);
    expect(new Set(scenarios).size).toBe(scenarios.length);
  });

  test("a refused one says why, and how much was refused", async () => {
    const { data } = await payWith({ number: "4000000000009995" });

    expect(data).toMatchObject({ refusedReason: "Insufficient limit", refusedAmount: 1990, paidAmount: 0 });
  });

  test("a processing one took nothing yet", async () => {
    const { gateway, data } = await payWith({ number: "4000000000003220" });

    expect(data).toMatchObject({ refusedAmount: 0, paidAmount: 0 });
    expect(gateway.transactions[0]).toMatchObject({ paidAmount: 0 });
  });
});

describe("other refusals", () => {
  test("a card whose date has passed, whatever its number", async () => {
    const { gateway, data } = await payWith({ expirationMonth: "11", expirationYear: "2026" });

    expect(data.status).toBe("refused");
    expect(gateway.transactions[0]?.scenario).toBe("expired_card");
  });

  test.each([99, 10_000_001])("an amount outside the company's limits: %i cents", async (amount) => {
    const { gateway, response, data } = await payWith({}, {}, { amount });

    expect(response.status).toBe(201);
    expect(data).toMatchObject({ status: "refused", refusedAmount: amount });
    expect(gateway.transactions[0]?.scenario).toBe("outside_limits");
  });
});

describe("what a scenario holds for later", () => {
  test.each([
    ["4000000000003220", 5_000, "approved", { paidAmount: 1990, refusedAmount: 0 }],
    ["4000008400001629", 5_000, "refused", { paidAmount: 0, refusedAmount: 1990, fees: 0 }],
    ["4000000000000259", 10_000, "chargedback", { paidAmount: 1990 }],
  ])("%s, after %i ms by the clock: %s", async (number, ms, status, amounts) => {
    const { gateway, data } = await payWith({ number });

    gateway.clock.advance(ms - 1);
    const before = gateway.transactions[0]?.status;
    gateway.clock.advance(1);

    expect(before).toBe(data.status);
    expect(gateway.transactions[0]).toMatchObject({ status, ...amounts });
    expect(gateway.transactions[0]?.timeline.slice(1)).toEqual([
      { status, at: new Date(NOON + ms).toISOString() }, // and no move: nobody made one
    ]);
  });

  test("a refusal after a while says why", async () => {
    const { gateway } = await payWith({ number: "4000008400001629" });

    gateway.clock.advance(5_000);

    expect(gateway.transactions[0]?.refusedReason).toBe("Refused by the anti-fraud rules");
    expect(gateway.chargesFor("order-1")).toEqual([]);
  });

  test.each([
    ["4000000000003220", "cancel", "cancelled"],
    ["4000008400001629", "pay", "approved"],
    ["4000000000000259", "refund", "refunded"],
  ] as const)("of %s does not happen once a person was faster: %s", async (number, move, status) => {
    const { gateway, data } = await payWith({ number });
    gateway[move](data.id);

    gateway.clock.advance(60_000);

    expect(gateway.transactions[0]?.status).toBe(status);
  });

  test("happens to what was refunded in part, too: the rest is charged back", async () => {
    const { gateway, data } = await payWith({ number: "4000000000000259" });
    gateway.refund(data.id, 990);

    gateway.clock.advance(10_000);

    expect(gateway.transactions[0]).toMatchObject({ status: "chargedback", refundedAmount: 990 });
  });
});
