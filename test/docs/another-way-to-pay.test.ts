import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, failureOf } from "../support/merchant.ts";
import { openShop, type Shop } from "./support/shop-with-store.ts";

describe("another way to pay", () => {
  const byCard = async ({ payments }: Shop, externalRef: string) => {
    const hash = await payments.cardTokens.create(aCard());
    return payments.transactions.createCard(aCardPayment({ externalRef, card: { hash }, amount: 2990 }));
  };

  test("takes a reference of its own while the first can be paid, and then both can be", async () => {
    const shop = openShop();
    await shop.create();
    const pix = shop.theOne();

    const conflict = await failureOf(byCard(shop, "order-1"));
    const { status } = await byCard(shop, "order-1-card");
    shop.gateway.pay(pix);

    expect([conflict.code, conflict.outcome]).toEqual(["idempotency_conflict", "not_sent"]);
    expect(status).toBe("approved");
    expect(shop.gateway.chargesFor("order-1")).toHaveLength(1);
    expect(shop.gateway.chargesFor("order-1-card")).toHaveLength(1);
  });

  test.each(["cancel", "expire"] as const)("takes the same reference after %s", async (move) => {
    const shop = openShop();
    await shop.create();
    shop.gateway[move](shop.theOne());
    await shop.handler.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });

    const { status, amount } = await byCard(shop, "order-1");

    expect([status, amount]).toEqual(["approved", 2990]);
  });
});
