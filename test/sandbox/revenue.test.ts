import { createGateway, type Gateway, type GatewayOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { bodyOf, merchantOf } from "./support/wire.ts";

const NOVEMBER = Date.parse("2026-11-30T23:59:59.000Z");
const OWN = "seller_1";
const SELLER = {
  id: OWN,
  name: "Loja",
  document: "12.345.678/0001-95",
  status: "active" as const,
  createdAt: "2025-01-01T00:00:00Z",
};

async function revenueOf(gateway: Gateway): Promise<{ total: number; month: number }> {
  const list = await bodyOf(await merchantOf(gateway).get("/sellers/revenue"));
  return list.find(({ seller_id }: { seller_id: string }) => seller_id === OWN).revenue;
}

async function withPayments(options: GatewayOptions = {}) {
  const gateway = createGateway({ now: NOVEMBER, ...options });
  const { pix, card } = merchantOf(gateway);
  const ids = { pix: (await pix({ amount: 1000 })).id, card: (await card(undefined, { amount: 2050 })).id };
  return { gateway, ...ids };
}

describe("revenue of the first seller", () => {
  test("is reduced by a refund, and by the rest after a chargeback", async () => {
    const { gateway, card, pix } = await withPayments();
    gateway.pay(pix);

    gateway.refund(card, 1);
    const part = await revenueOf(gateway);
    gateway.chargeback(card);
    gateway.refund(pix);

    expect(part).toEqual({ total: 30.49, month: 30.49 });
    expect(await revenueOf(gateway)).toEqual({ total: 0, month: 0 });
  });

  test("counts in the month of the payment, and so do its refunds", async () => {
    const { gateway, card, pix } = await withPayments();
    gateway.clock.advance(1000); // December

    gateway.pay(pix);
    gateway.refund(card, 50);

    expect(await revenueOf(gateway)).toEqual({ total: 30, month: 10 });
  });

  test("is added to the initial revenue, exact in cents, and a new month starts at 0", async () => {
    const seller = { ...SELLER, revenue: { total: 100.01, month: 0.29 } };
    const { gateway } = await withPayments({ sellers: [seller] });
    const november = await revenueOf(gateway);

    gateway.clock.advance(1000); // December

    expect(november).toEqual({ total: 120.51, month: 20.79 });
    expect(await revenueOf(gateway)).toEqual({ total: 120.51, month: 0 });
  });
});

test("GET /sellers/revenue returns an array of decimals in BRL, and other sellers earn nothing", async () => {
  const sellers = [SELLER, { ...SELLER, id: "seller_2", name: "Other", createdAt: "2025-02-01T00:00:00Z" }];
  const { gateway } = await withPayments({ sellers });

  const response = await merchantOf(gateway).get("/sellers/revenue");

  expect(response.status).toBe(200);
  expect(await response.json()).toStrictEqual([
    { seller_id: "seller_2", seller_name: "Other", revenue: { total: 0, month: 0 } },
    { seller_id: "seller_1", seller_name: "Loja", revenue: { total: 20.5, month: 20.5 } },
  ]);
});
