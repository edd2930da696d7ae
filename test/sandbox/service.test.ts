import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { bodyOf, merchantOf, NOON } from "./support/wire.ts";

const aSeller = (n: number, createdAt: string) => ({
  id: `seller_${n}`,
  name: `Seller ${n}`,
  document: "529.982.247-25",
  status: "active" as const,
  createdAt,
});

test("the company has fields from the options, nested ones too, and keeps the others", async () => {
  const gateway = createGateway({
    company: {
      name: "Padaria",
      tradingName: undefined as never,
      limits: { transactionMinAmount: 1 },
      configuration: { webhook: { events: [] }, autoCapture: false },
      settlement: { bank: { code: "237" } },
    },
  });

  const { data } = await bodyOf(await merchantOf(gateway).get("/api/v1/company"));

  expect(data).toMatchObject({ name: "Padaria", tradingName: "Loja Exemplo" });
  expect(data.limits).toEqual({ transactionMinAmount: 1, transactionMaxAmount: 10_000_000 });
  expect(data.configuration).toMatchObject({ autoCapture: false, antifraudEnabled: true });
  expect(data.configuration.webhook).toEqual({ url: expect.any(String), events: [] });
  expect(data.settlement.bank).toMatchObject({ code: "237", branch: "0001" });
});

test("GET /api/v1/status has the time and the environment of the sandbox, without an envelope", async () => {
  const gateway = createGateway({ now: NOON, environment: "production" });

  const body = await bodyOf(await gateway.fetch(`${gateway.baseUrl}/api/v1/status`));

  const services = { gateway: "online", database: "online", tokenizer: "online", notifications: "online" };
  const timestamp = "2026-12-04T12:00:00.000Z";
  expect(body).toMatchObject({ status: "online", timestamp, environment: "production", services });
});

test.each([
  { tokenizer: "degraded" },
  { gateway: "offline", database: "online" }, // only a component can be offline
] as const)("with services %j, the others are online and the service is degraded", async (services) => {
  const online = { gateway: "online", database: "online", tokenizer: "online", notifications: "online" };

  const response = await merchantOf(createGateway({ services })).get("/api/v1/status");

  expect(await response.json()).toMatchObject({ status: "degraded", services: { ...online, ...services } });
});

describe("the rate limit of the status endpoint", () => {
  function visitor() {
    const gateway = createGateway({ now: NOON });
    const call = () => gateway.fetch(`${gateway.baseUrl}/api/v1/status`);
    const statuses = async (times: number) => {
      const seen = new Set<number>();
      for (let n = 0; n < times; n += 1) seen.add((await call()).status);
      return [...seen];
    };
    return { gateway, call, statuses };
  }

  test("is 60 a minute for an IP address: the 61st gets 429 until Retry-After, and does not count", async () => {
    const { gateway, call, statuses } = visitor();
    const first60 = await statuses(60);

    const next = await call();
    gateway.clock.advance(59_999);
    const early = await call();
    const refused = await statuses(60);
    gateway.clock.advance(1);

    expect([first60, refused]).toEqual([[200], [429]]);
    expect([next, early].map(({ headers }) => headers.get("retry-after"))).toEqual(["60", "1"]);
    expect(await next.json()).toStrictEqual({ success: false, message: "Too Many Requests" });
    expect((await call()).status).toBe(200);
  });

  test("is 300 an hour for an IP address, and the 301st request gets 429 until the hour is over", async () => {
    const { gateway, call, statuses } = visitor();
    const statusCodes: number[] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      statusCodes.push(...(await statuses(60)));
      gateway.clock.advance(60_000);
    }

    const next = await call();
    gateway.clock.advance(55 * 60_000);

    expect(statusCodes).toEqual([200, 200, 200, 200, 200]);
    expect([next.status, next.headers.get("retry-after")]).toEqual([429, String(55 * 60)]);
    expect((await call()).status).toBe(200);
  });
});

describe("GET /sellers", () => {
  test.each([
    ["cnpj", "12345678000195", "12.345.678/0001-95"],
    ["cpf", "52998224725", "529.982.247-25"],
  ] as const)(
    "returns an array, with the company's %s %s formatted as %s",
    async (type, number, document) => {
      const gateway = createGateway({ company: { document: { type, number } } });

      const response = await merchantOf(gateway).get("/sellers");

      const sellers = await bodyOf(response);
      expect(response.status).toBe(200);
      expect(sellers).toHaveLength(3);
      expect(sellers.at(-1)).toStrictEqual({
        id: "seller_1",
        name: "Loja Exemplo",
        document,
        status: "active",
      });
    },
  );

  test("lists at most 100, newest first, and ignores page and limit", async () => {
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
