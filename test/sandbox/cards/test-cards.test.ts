import { createGateway, type GatewayOptions, TEST_CARDS } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, bodyOf, merchantOf, NOON } from "../support/wire.ts";

async function payWith(card: object, options: GatewayOptions = {}) {
  const gateway = createGateway({ now: NOON, ...options });
  const { create, token } = merchantOf(gateway);
  const response = await create(aCardPayment(await token(aCard(card))));
  const { data } = await bodyOf(response);
  return { gateway, response, data };
}

/** The documented outcomes by card number. */
const OUTCOMES: readonly (readonly [number: string, status: string, scenario: string, reason?: string])[] = [
  ["4111111111111111", "approved", "approved"],
  ["4242424242424242", "approved", "approved"],
  ["5555555555554444", "approved", "approved"],
  ["4024007153763191", "approved", "approved"], // fails Luhn
  ["4000000000000002", "refused", "not_authorized", "Not authorized by the card issuer"],
  ["4000000000009995", "refused", "insufficient_limit", "Insufficient limit"],
  ["4000000000000127", "refused", "wrong_cvv", "Wrong data: the security code does not match"],
  ["4000000000000069", "refused", "expired_card", "Wrong data: the card has expired"],
  ["4100000000000019", "refused", "antifraud", "Refused by the anti-fraud rules"],
  ["4000000000009979", "refused", "stolen_card", "The card was reported stolen"],
  ["4000000000009987", "refused", "lost_card", "The card was reported lost"],
  ["4000000000006975", "refused", "too_often", "The card was used too often"],
  ["4000000000000119", "refused", "issuer_unavailable", "The card issuer did not answer"],
  ["4000000000003220", "processing", "processing_then_approved"],
  ["4000008400001629", "processing", "processing_then_refused"],
  ["4000000000000259", "approved", "approved_then_charged_back"],
  ["4000000000009235", "pending", "pending"],
];

describe("card numbers select the outcome", () => {
  test.each([...OUTCOMES, ["6011111111111117", "approved", "approved"] as const])(
    // the last number is not a test card
    "%s is %s: %s",
    async (number, status, scenario, refusedReason = undefined) => {
      const { gateway, response, data } = await payWith({ number });

      expect(response.status).toBe(201); // even if it is refused
      expect([data.status, data.refusedReason]).toEqual([status, refusedReason]);
      expect([data.refusedAmount, data.fees]).toEqual(status === "refused" ? [1990, 0] : [0, 79]);
      expect(data).not.toHaveProperty("scenario");
      expect(gateway.transactions[0]?.scenario).toBe(scenario);
    },
  );

  test("TEST_CARDS contains no others", () => {
    expect(TEST_CARDS.map(({ number }) => number)).toEqual(OUTCOMES.map(([number]) => number));
  });

  test.each([
    ["11", "2026", "refused"],
    ["12", "2026", "approved"], // valid until the end of its month
  ])("in December 2026 a card of %s/%s is %s", async (expirationMonth, expirationYear, status) => {
    const now = Date.parse("2026-12-31T23:59:59.999Z");

    const { data } = await payWith({ expirationMonth, expirationYear }, { now });

    expect(data.status).toBe(status);
  });
});

describe("a later change of a scenario", () => {
  test.each([
    ["4000000000003220", 5_000, "approved", { paidAmount: 1990, refusedAmount: 0 }],
    [
      "4000008400001629",
      5_000,
      "refused",
      { paidAmount: 0, refusedAmount: 1990, fees: 0, refusedReason: "Refused by the anti-fraud rules" },
    ],
    ["4000000000000259", 10_000, "chargedback", { paidAmount: 1990 }],
  ])("%s after %i ms by the clock: %s", async (number, ms, status, facts) => {
    const { gateway, data } = await payWith({ number });
    const paidBefore = gateway.transactions[0]?.paidAmount;

    gateway.clock.advance(ms - 1);
    const before = gateway.transactions[0]?.status;
    gateway.clock.advance(1);

    expect([before, paidBefore]).toEqual([data.status, data.status === "approved" ? 1990 : 0]);
    expect(gateway.transactions[0]).toMatchObject({ status, ...facts });
    expect(gateway.transactions[0]?.timeline.slice(1)).toEqual([
      { status, at: new Date(NOON + ms).toISOString() }, // without a move
    ]);
  });

  test.each([
    ["4000000000003220", "cancel", "cancelled"],
    ["4000008400001629", "pay", "approved"],
    ["4000000000000259", "refund", "refunded"],
  ] as const)("of %s does not happen after another move: %s", async (number, move, status) => {
    const { gateway, data } = await payWith({ number });
    gateway[move](data.id);

    gateway.clock.advance(60_000);

    expect(gateway.transactions[0]?.status).toBe(status);
  });
});
