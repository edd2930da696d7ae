import { createGateway, type Gateway, type GatewayOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

const NOVEMBER = Date.parse("2026-11-30T23:59:59.000Z");
const OWN = "seller_1";

async function revenueOf(gateway: Gateway, seller = OWN): Promise<{ total: number; month: number }> {
  const list = await bodyOf(await merchantOf(gateway).get("/sellers/revenue"));
  return list.find(({ seller_id }: { seller_id: string }) => seller_id === seller).revenue;
}

async function withPayments(options: GatewayOptions = {}) {
  const gateway = createGateway({ now: NOVEMBER, ...options });
  const { create, token } = merchantOf(gateway);
  const pix = (await bodyOf(await create(aPix({ amount: 1000 })))).data.id as number;
  const card = (await bodyOf(await create(aCardPayment(await token(), { amount: 2050 })))).data.id as number;
  return { gateway, pix, card };
}

describe("revenue of the first seller", () => {
  test("is what was paid, in reais", async () => {
    const { gateway, pix } = await withPayments();
    const before = await revenueOf(gateway);

    gateway.pay(pix);

    expect(before).toEqual({ total: 20.5, month: 20.5 });
    expect(await revenueOf(gateway)).toEqual({ total: 30.5, month: 30.5 });
  });

  test("falls by what was refunded, in parts and as a whole", async () => {
    const { gateway, card } = await withPayments();

    gateway.refund(card, 1);
    const part = await revenueOf(gateway);
    gateway.refund(card);

    expect(part.total).toBe(20.49);
    expect((await revenueOf(gateway)).total).toBe(0);
  });

  test("falls by all that was left, where a card is charged back", async () => {
    const { gateway, card } = await withPayments();
    gateway.refund(card, 50);

    gateway.chargeback(card);

    expect(await revenueOf(gateway)).toEqual({ total: 0, month: 0 });
  });

  test("knows nothing of what expired or was cancelled", async () => {
    const { gateway, pix } = await withPayments();

    gateway.cancel(pix);

    expect((await revenueOf(gateway)).total).toBe(20.5);
  });

  test("belongs to the month of the payment, not of the creation", async () => {
    const { gateway, pix } = await withPayments();
    gateway.clock.advance(1000); // December

    gateway.pay(pix);

    expect(await revenueOf(gateway)).toEqual({ total: 30.5, month: 10 });
  });

  test("loses what is refunded in the month of the payment, not of the refund", async () => {
    const { gateway, card, pix } = await withPayments();
    gateway.clock.advance(1000); // December
    gateway.pay(pix);

    gateway.refund(card, 50);

    expect(await revenueOf(gateway)).toEqual({ total: 30, month: 10 });
  });

  test("counts a card whose scenario approves it later in the month in which it did", async () => {
    const { gateway } = await withPayments();
    const { create, token } = merchantOf(gateway);
    await create(aCardPayment(await token(aCard({ number: "4000000000003220" })), { amount: 700 }));

    gateway.clock.advance(5000); // December

    expect(await revenueOf(gateway)).toEqual({ total: 27.5, month: 7 });
  });

  test("comes on top of what it had before the gateway began", async () => {
    const seller = {
      id: OWN,
      name: "Loja",
      document: "12.345.678/0001-95",
      status: "active" as const,
      createdAt: "2025-01-01T00:00:00Z",
      revenue: { total: 100.01, month: 0.1 },
    };

    const { gateway } = await withPayments({ sellers: [seller] });

    expect(await revenueOf(gateway)).toEqual({ total: 120.51, month: 20.6 });
  });

  test("stays exact in cents, however many payments there are", async () => {
    const { gateway } = await withPayments();
    const { create, token } = merchantOf(gateway);
    const hash = await token();

    for (let n = 0; n < 30; n += 1) await create(aCardPayment(hash, { amount: 110 }));

    expect((await revenueOf(gateway)).total).toBe(53.5); // 20.5 + 30 times 1.1
  });

  test("is nobody else's", async () => {
    const { gateway } = await withPayments();
    const other = await revenueOf(createGateway({ now: NOVEMBER }), "seller_2");

    expect(await revenueOf(gateway, "seller_2")).toEqual(other);
  });
});

test("every seller has a revenue, the newest first, also beyond the 100 that are listed", async () => {
  const sellers = Array.from({ length: 101 }, (_, n) => ({
    id: `seller_${n}`,
    name: `Seller ${n}`,
    document: "529.982.247-25",
    status: "active" as const,
    createdAt: new Date(NOVEMBER + n * 1000).toISOString(),
  }));

  const list = await bodyOf(await merchantOf(createGateway({ sellers })).get("/sellers/revenue"));

  expect(list).toHaveLength(101);
  expect([list[0].seller_id, list[100].seller_id]).toEqual(["seller_100", "seller_0"]);
});
