import type { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import { eventsOf } from "../support/merchant.ts";
import { aCompany, aRevenue, aSeller, aStatus } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

async function read(body: object, call: Call, options = {}) {
  const { payments, events, arrivals } = await startMerchant(json(200, body), options);
  const result = await call(payments);
  return { result, fields: JSON.parse(JSON.stringify(result)), arrivals, events };
}

const COMPANY_DATA = aCompany();
const COMPANY_BODY = { success: true, data: COMPANY_DATA };
const COMPONENTS = { gateway: "online", database: "degraded", tokenizer: "offline", notifications: "online" };
const STATUS_BODY = aStatus({ status: "degraded", environment: "production", services: COMPONENTS });
const SELLERS_BODY = [
  aSeller({ status: "pending" }),
  aSeller({ document: "12.345.678/0001-95", status: "blocked" }),
];
const REVENUE_BODY = [aRevenue({ revenue: { total: 10_250.75, month: 0.1 } })];

/** Base64 of `SECRET_KEY:PUBLIC_KEY`, encoded with another tool. */
const BASIC = "Basic c2tfdGVzdF85ZjhlN2Q2YzViNGE6cGtfdGVzdF8xYTJiM2M0ZDVlNmY=";

test.each<[string, object, Call, unknown, string | undefined]>([
  ["/api/v1/company", COMPANY_BODY, (to) => to.company.retrieve(), COMPANY_DATA, BASIC], // limits are in cents
  ["/api/v1/status", STATUS_BODY, (to) => to.status.retrieve(), STATUS_BODY, undefined], // without an envelope
  ["/sellers", SELLERS_BODY, (to) => to.sellers.list(), SELLERS_BODY, BASIC], // newest first
  ["/sellers/revenue", REVENUE_BODY, (to) => to.sellers.revenue(), REVENUE_BODY, BASIC],
])(
  "GET %s is sent without parameters, and every field is read; each result has its body as raw",
  async (path, body, call, expected, authorization) => {
    const { result, fields, arrivals, events } = await read(body, call);

    expect([result].flat()).toMatchObject([body].flat().map((raw) => ({ raw })));
    expect(arrivals).toMatchObject([{ method: "GET", url: path, body: "" }]);
    expect(arrivals[0]?.headers.authorization).toBe(authorization);
    expect(JSON.stringify(arrivals[0]?.headers)).not.toMatch(/sk_|pk_/);
    expect(fields).toEqual(expected);
    expect(eventsOf(events, "drift")).toEqual([]);
  },
);

test("a company may have a status, a settlement schedule and events that the specification does not list", async () => {
  const webhook = { url: "https://x.example", events: ["transaction.canceled", "transaction.new"] };
  const data = aCompany({
    status: "archived",
    configuration: { ...Object(COMPANY_DATA["configuration"]), webhook },
    settlement: { ...Object(COMPANY_DATA["settlement"]), schedule: "D+45" },
  });

  const { fields, events } = await read({ success: true, data }, (to) => to.company.retrieve());

  expect(fields).toEqual(data);
  expect(eventsOf(events, "drift")).toEqual([]);
});

const NO_KEYS = { secretKey: undefined, publicKey: undefined };

describe("the sellers", () => {
  test.each([
    [99, 0],
    [100, 1],
    [101, 0], // so 100 is not the page's limit
  ])("%d sellers on a page cause %d warnings that there may be more", async (count, warnings) => {
    const sellers = Array.from({ length: count }, (_, index) => aSeller({ id: `sel_${index}` }));

    const { result, events } = await read(sellers, (to) => to.sellers.list());

    expect(result).toHaveLength(count);
    const warning = { type: "warning", endpoint: "sellers.list", field: "length" };
    expect(eventsOf(events, "warning")).toMatchObject(Array(warnings).fill(warning));
  });

  test.each<[string, string, object, Call]>([
    ["/api/v1/sellers", "/api/v1/sellers", SELLERS_BODY, (to) => to.sellers.list()],
    ["/api/v1/sellers/", "/api/v1/sellers/revenue", REVENUE_BODY, (to) => to.sellers.revenue()],
  ])(
    "may have the path %s, because the specification does not show it",
    async (sellersPath, path, body, call) => {
      const { arrivals } = await read(body, call, { sellersPath });

      expect(arrivals[0]?.url).toBe(path);
    },
  );

  test.each<[string, object, Call, object]>([
    ["/sellers", SELLERS_BODY, (to) => to.sellers.list(), {}],
    ["/sellers/revenue without keys", REVENUE_BODY, (to) => to.sellers.revenue(), NO_KEYS],
  ])(
    "%s may need no authentication, because the specification does not show it",
    async (_path, body, call, keys) => {
      const { arrivals } = await read(body, call, { sellersAuth: "none", ...keys });

      expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
    },
  );
});
