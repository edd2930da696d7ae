import { assertNotRefused, CardRefusedError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, eventsOf, thrownBy } from "../support/merchant.ts";
import { aCardData, aPixData, aRefusedData, created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

async function pay(data: Record<string, unknown>) {
  const { payments, events } = await startMerchant(created(data));
  const transaction = await payments.transactions.createCard(aCardPayment());
  return { transaction, drift: eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`) };
}

describe("a declined card resolves with a reason that is always a string", () => {
  const OBJECT = ["data.refusedReason is an object"];

  test.each<[string, unknown, string, string[]]>([
    ["the service's text", "Insufficient limit", "Insufficient limit", []],
    ["an empty string", "", "unspecified", ["data.refusedReason is an empty string"]],
    ["an object in an object", { message: { text: "No funds" } }, "unspecified", OBJECT],
    ["a blank string", "  ", "unspecified", ["data.refusedReason is a string"]],
    ["null", null, "unspecified", ["data.refusedReason is null"]],
    ["undefined", undefined, "unspecified", ["data.refusedReason is missing"]],
    ["an object with a message", { code: 51, message: "No funds" }, "No funds", OBJECT],
    ["an object with a reason", { reason: "No funds" }, "No funds", OBJECT],
    ["an object without text", { code: 51 }, "unspecified", OBJECT],
  ])("%s", async (_what, refusedReason, reason, expectedDrift) => {
    const { transaction, drift } = await pay(aRefusedData({ refusedReason }));

    expect(transaction).toMatchObject({ status: "refused", refusedReason: reason, refusedAmount: 1990 });
    expect(drift).toEqual(expectedDrift);
  });
});

test.each([
  [undefined, undefined],
  [null, undefined],
  ["", undefined],
  ["In review", "In review"],
])(
  "a card that was not declined has no reason, unless the service sent a text: %j",
  async (sent, received) => {
    const { transaction, drift } = await pay(aCardData({ refusedReason: sent }));

    expect(transaction.refusedReason).toBe(received);
    expect("refusedReason" in transaction).toBe(received !== undefined);
    expect(drift).toEqual([]);
  },
);

describe("assertNotRefused", () => {
  test("throws an error with actor customer for a declined card", async () => {
    const { transaction } = await pay(aRefusedData());

    const error = thrownBy(() => assertNotRefused(transaction));

    expect(error).toBeInstanceOf(CardRefusedError);
    expect(error.toJSON()).toEqual({
      name: "CardRefusedError",
      code: "card_refused",
      message: error.message,
      outcome: "created",
      mayHaveCharged: false,
      actor: "customer",
      endpoint: "transactions.create",
      externalRef: "order-1",
      refusedReason: "Insufficient limit",
      transactionId: 4021,
    });
    expect(error.message).toContain("The card was declined (Insufficient limit)");
  });

  test.each(["approved", "pending", "PENDING_3DS"])("does not throw for %s", async (status) => {
    const { transaction } = await pay(aCardData({ status }));

    expect(() => assertNotRefused(transaction)).not.toThrow();
  });

  test("does not throw for a pix: only cards are declined", async () => {
    const { payments } = await startMerchant(created(aPixData({ status: "refused" })));
    const transaction = await payments.transactions.createPix(aPix());

    expect(transaction.status).toBe("refused");
    expect(() => assertNotRefused(transaction)).not.toThrow();
  });
});
