import { describe, expect, test } from "vitest";
import { APPROVED_CARD_DATA, envelope, REFUSED_CARD_DATA } from "./support/answers.ts";
import { FULL_CARD } from "./support/orders.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

const ENDPOINT = "POST /api/v1/transactions";

async function cardFrom(body: object) {
  theServiceAnswers(ENDPOINT, 201, body);
  const { payments, events } = aMerchant();
  const transaction = await payments.transactions.createCard(FULL_CARD);
  return { transaction, drift: driftOf(events) };
}

describe("the answer to a card payment", () => {
  test("that is approved is read field by field, under the service's own names", async () => {
    const { transaction, drift } = await cardFrom(envelope(APPROVED_CARD_DATA));

    expect(JSON.parse(JSON.stringify(transaction))).toEqual({ ...APPROVED_CARD_DATA, rawStatus: "approved" });
    expect(drift).toEqual([]);
  });

  test("that is declined is a 201 too, and a result with its reason", async () => {
    const { transaction, drift } = await cardFrom(envelope(REFUSED_CARD_DATA));

    expect(transaction).toMatchObject({
      id: 81_002,
      status: "refused",
      refusedReason: "Transação não autorizada",
    });
    expect(drift).toEqual([]);
  });

  test("that is declined has the whole amount as refusedAmount", async () => {
    const { transaction } = await cardFrom(envelope(REFUSED_CARD_DATA));

    expect(transaction).toMatchObject({ amount: 10_000, refusedAmount: 10_000, paidAmount: 0 });
  });

  test("has its installments as an integer, unlike the request", async () => {
    const { transaction } = await cardFrom(envelope(APPROVED_CARD_DATA));

    expect(transaction.installments).toBe(3);
  });

  test("has no pix", async () => {
    const { transaction } = await cardFrom(envelope(APPROVED_CARD_DATA));

    expect(transaction).not.toHaveProperty("pix");
  });

  test.each([201, 1])("has the same meaning with envelope status %d", async (status) => {
    const { transaction, drift } = await cardFrom(envelope(APPROVED_CARD_DATA, { status }));

    expect(transaction.status).toBe("approved");
    expect(drift).toEqual([]);
  });

  test.each([
    ["pending", "pending"],
    ["processing", "processing"],
    ["approved", "approved"],
    ["cancelled", "cancelled"],
    ["refunded", "refunded"],
    ["chargedback", "chargedback"],
  ])("may have the status %s", async (written, read) => {
    const { transaction, drift } = await cardFrom(envelope({ ...APPROVED_CARD_DATA, status: written }));

    expect(transaction).toMatchObject({ status: read, rawStatus: written });
    expect(drift).toEqual([]);
  });
});
