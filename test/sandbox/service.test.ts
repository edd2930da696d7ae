import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");
const aSeller = (n: number, createdAt: string) => ({
  id: `seller_${n}`,
  name: `Seller ${n}`,
  document: "529.982.247-25",
  status: "active" as const,
  createdAt,
});

describe("GET /api/v1/company", () => {
  test("answers success and every field of the specification", async () => {
    const response = await merchantOf(createGateway()).get("/api/v1/company");

    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      success: true,
      data: {
        id: expect.any(Number),
        name: expect.any(String),
        tradingName: expect.any(String),
        document: { type: "cnpj", number: expect.stringMatching(/^\d{14}$/) },
        status: "active",
        createdAt: expect.stringMatching(/Z$/),
        paymentMethods: { credit_card: true, pix: true, boleto: false },
        limits: { transactionMaxAmount: 10_000_000, transactionMinAmount: 100 },
        configuration: {
          webhook: {
            url: expect.stringMatching(/^https:/),
            events: [
              "transaction.approved",
              "transaction.refused",
              "transaction.refunded",
              "transaction.chargedback",
              "transaction.canceled",
            ],
          },
          notificationEmail: expect.stringContaining("@"),
          autoCapture: true,
          antifraudEnabled: true,
        },
        settlement: {
          bank: { code: expect.any(String), branch: expect.any(String), account: expect.any(String) },
          schedule: "D+2",
          automaticTransfer: true,
        },
      },
    });
  });

  test("takes single fields from the options, inside objects too, and keeps their neighbours", async () => {
    const gateway = createGateway({
      company: {
        name: "Padaria",
        limits: { transactionMinAmount: 1 },
        configuration: { webhook: { events: [] }, autoCapture: false },
        settlement: { bank: { code: "237" } },
      },
    });

    const { data } = await bodyOf(await merchantOf(gateway).get("/api/v1/company"));

    expect(data.name).toBe("Padaria");
    expect(data.limits).toEqual({ transactionMinAmount: 1, transactionMaxAmount: 10_000_000 });
    expect(data.configuration).toMatchObject({ autoCapture: false, antifraudEnabled: true });
    expect(data.configuration.webhook).toEqual({ url: expect.any(String), events: [] });
    expect(data.settlement.bank).toMatchObject({ code: "237", branch: "0001" });
  });
});

describe("GET /api/v1/status", () => {
  test("answers the status object itself, without an envelope", async () => {
    const gateway = createGateway({ now: NOON });

    const response = await gateway.fetch(`${gateway.baseUrl}/api/v1/status`);

    expect(await response.json()).toStrictEqual({
      status: "online",
      timestamp: "2026-12-04T12:00:00.000Z",
      version: "v1",
      environment: "sandbox",
      services: { gateway: "online", database: "online", tokenizer: "online", notifications: "online" },
      latency: {
        gateway: expect.any(Number),
        database: expect.any(Number),
        tokenizer: expect.any(Number),
        notifications: expect.any(Number),
      },
    });
  });

  test("says production where the options do", async () => {
    const gateway = createGateway({ environment: "production" });

    const response = await gateway.fetch(`${gateway.baseUrl}/api/v1/status`);

    expect((await bodyOf(response)).environment).toBe("production");
  });
});

describe("the rate limit of the status endpoint", () => {
  function visitor(ip?: string, gateway = createGateway({ now: NOON })) {
    const call = () => gateway.fetch(`${gateway.baseUrl}/api/v1/status`, ip === undefined ? {} : { ip });
    const statuses = async (times: number) => {
      const seen = new Set<number>();
      for (let n = 0; n < times; n += 1) seen.add((await call()).status);
      return [...seen];
    };
    return { gateway, call, statuses };
  }

  test("is 60 a minute for one IP; the 61st gets 429", async () => {
    const { call, statuses } = visitor();

    const first60 = await statuses(60);
    const next = await call();

    expect(first60).toEqual([200]);
    expect(next.status).toBe(429);
    expect(next.headers.get("retry-after")).toBe("60");
    expect(await next.json()).toStrictEqual({ success: false, message: "Too Many Requests" });
  });

  test("lets go after the seconds that Retry-After says, and not before", async () => {
    const { gateway, call, statuses } = visitor();
    await statuses(60);
    gateway.clock.advance(59_999);

    const early = await call();
    gateway.clock.advance(1);
    const late = await call();

    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(late.status).toBe(200);
  });

  test("does not count what it refused: waiting once is enough", async () => {
    const { gateway, call, statuses } = visitor();
    await statuses(60);
    gateway.clock.advance(30_000);
    const refused = await statuses(60);
    gateway.clock.advance(30_000);

    const next = await call();

    expect(refused).toEqual([429]);
    expect(next.status).toBe(200);
  });

  test("is 300 an hour for one IP; the 301st gets 429 until the hour is over", async () => {
    const { gateway, call, statuses } = visitor();
    const inFiveMinutes: number[][] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      inFiveMinutes.push(await statuses(60));
      gateway.clock.advance(60_000);
    }

    const next = await call();
    gateway.clock.advance(55 * 60_000);
    const nextHour = await call();

    expect(inFiveMinutes.flat()).toEqual([200, 200, 200, 200, 200]);
    expect([next.status, next.headers.get("retry-after")]).toEqual([429, String(55 * 60)]);
    expect(nextHour.status).toBe(200);
  });

  test("counts each IP by itself, 127.0.0.1 when none is told", async () => {
    const { gateway, statuses } = visitor("203.0.113.1");
    await statuses(60);

    const same = await visitor("203.0.113.1", gateway).call();
    const other = await visitor("203.0.113.2", gateway).call();
    await visitor(undefined, gateway).statuses(60);
    const loopback = await visitor("127.0.0.1", gateway).call();

    expect([same.status, other.status, loopback.status]).toEqual([429, 200, 429]);
  });

  test("holds for the status endpoint only", async () => {
    const { gateway, statuses } = visitor();
    await statuses(61);

    const response = await merchantOf(gateway).get("/api/v1/company");

    expect(response.status).toBe(200);
  });
});

describe("GET /sellers", () => {
  test("answers a bare array of id, name, document and status", async () => {
    const response = await merchantOf(createGateway()).get("/sellers");

    const sellers = await bodyOf(response);
    expect(response.status).toBe(200);
    expect(sellers).toHaveLength(3);
    expect(sellers.at(-1)).toStrictEqual({
      id: "seller_1",
      name: "Loja Exemplo",
      document: "12.345.678/0001-95",
      status: "active",
    });
  });

  test("the company's cpf is formatted as one", async () => {
    const gateway = createGateway({ company: { document: { type: "cpf", number: "52998224725" } } });

    const sellers = await bodyOf(await merchantOf(gateway).get("/sellers"));

    expect(sellers.at(-1).document).toBe("529.982.247-25");
  });

  test("orders by creation date, newest first", async () => {
    const sellers = [
      aSeller(1, "2025-01-01T00:00:00Z"),
      aSeller(2, "2025-03-01T00:00:00Z"),
      aSeller(3, "2025-02-01T00:00:00Z"),
    ];

    const list = await bodyOf(await merchantOf(createGateway({ sellers })).get("/sellers"));

    expect(list.map(({ id }: { id: string }) => id)).toEqual(["seller_2", "seller_3", "seller_1"]);
  });

  test("lists 100 at most, the newest; page and limit change nothing", async () => {
    const sellers = Array.from({ length: 101 }, (_, n) =>
      aSeller(n, new Date(NOON + n * 1000).toISOString()),
    );
    const { get } = merchantOf(createGateway({ sellers }));

    const list = await bodyOf(await get("/sellers"));
    const second = await bodyOf(await get("/sellers?page=2&limit=1"));

    expect(list).toHaveLength(100);
    expect(list[0].id).toBe("seller_100");
    expect(list.at(-1).id).toBe("seller_1");
    expect(second).toEqual(list);
  });
});

describe("GET /sellers/revenue", () => {
  const revenueOf = async (gateway: ReturnType<typeof createGateway>) =>
    bodyOf(await merchantOf(gateway).get("/sellers/revenue"));

  test("answers a bare array of decimals in BRL", async () => {
    const sellers = [{ ...aSeller(1, "2025-01-01T00:00:00Z"), revenue: { total: 1234.56, month: 78.9 } }];

    const revenue = await revenueOf(createGateway({ sellers }));

    expect(revenue).toStrictEqual([
      { seller_id: "seller_1", seller_name: "Seller 1", revenue: { total: 1234.56, month: 78.9 } },
    ]);
  });

  test("adds what was paid to the first seller's, and nothing else", async () => {
    const gateway = createGateway({
      sellers: [
        { ...aSeller(1, "2025-01-01T00:00:00Z"), revenue: { total: 0.1, month: 0 } },
        aSeller(2, "2025-02-01T00:00:00Z"),
      ],
    });
    const { create, token } = merchantOf(gateway);
    await create(aCardPayment(await token(), { amount: 120 }));
    await create(aCardPayment(await token(aCard({ number: "4000000000000002" })))); // refused
    await create(aPix()); // not paid yet

    const revenue = await revenueOf(gateway);

    expect(revenue).toMatchObject([
      { seller_id: "seller_2", revenue: { total: 0, month: 0 } },
      { seller_id: "seller_1", revenue: { total: 1.3, month: 1.2 } },
    ]);
  });

  test("a new month starts at nothing, and the total stays", async () => {
    const gateway = createGateway({
      now: NOON,
      sellers: [{ ...aSeller(1, "2025-01-01T00:00:00Z"), revenue: { total: 50, month: 20 } }],
    });
    const { create, token } = merchantOf(gateway);
    await create(aCardPayment(await token(), { amount: 1000 }));
    gateway.clock.advance(31 * 86_400_000);

    const revenue = await revenueOf(gateway);

    expect(revenue[0].revenue).toEqual({ total: 60, month: 0 });
  });
});
