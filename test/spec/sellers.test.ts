import type { PaymentsClient } from "payments-sdk";
import { toCents } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { REVENUE_BODY, SELLERS_BODY } from "./support/responses.ts";
import { createMerchant, driftOf, serviceResponds } from "./support/service.ts";

const aSeller = (_: unknown, index: number) => ({ ...SELLERS_BODY[0], id: `sel_${index}` });

describe("the sellers", () => {
  test("are requested at /sellers without parameters, and keep their order, newest first", async () => {
    const { received } = serviceResponds("GET /sellers", 200, SELLERS_BODY);
    const { payments, events } = createMerchant();

    const sellers = await payments.sellers.list();

    expect(received).toMatchObject([{ method: "GET", target: "/sellers", text: "" }]);
    expect(JSON.parse(JSON.stringify(sellers))).toEqual(SELLERS_BODY);
    expect(sellers.map(({ raw }) => raw)).toEqual(SELLERS_BODY);
    expect(driftOf(events)).toEqual([]);
  });

  test.each([
    [99, 0],
    [100, 1],
    [101, 0], // so 100 is not the page's limit
  ])("%d sellers on a page cause %d warnings that there may be more", async (count, warnings) => {
    serviceResponds("GET /sellers", 200, Array.from({ length: count }, aSeller));
    const { payments, events } = createMerchant();

    const sellers = await payments.sellers.list();

    expect(sellers).toHaveLength(count);
    const reported = events.filter(({ type }) => type === "warning");
    expect(reported).toHaveLength(warnings);
    for (const warning of reported)
      expect(warning).toMatchObject({ endpoint: "sellers.list", field: "length" });
  });

  test("may have another path, because the specification does not show it", async () => {
    const { received } = serviceResponds("GET /api/v1/sellers", 200, SELLERS_BODY);

    await createMerchant({ sellersPath: "/api/v1/sellers" }).payments.sellers.list();

    expect(received[0]?.target).toBe("/api/v1/sellers");
  });
});

describe("the sellers' revenue", () => {
  test("is requested at /sellers/revenue without parameters, and is in decimal reais", async () => {
    const { received } = serviceResponds("GET /sellers/revenue", 200, REVENUE_BODY);
    const { payments, events } = createMerchant();

    const revenues = await payments.sellers.revenue();

    expect(received).toMatchObject([{ method: "GET", target: "/sellers/revenue", text: "" }]);
    expect(JSON.parse(JSON.stringify(revenues))).toEqual(REVENUE_BODY);
    expect(toCents(revenues[0]?.revenue.total ?? 0)).toBe(1_025_075);
    expect(driftOf(events)).toEqual([]);
  });

  test("has a path below that of the sellers", async () => {
    const { received } = serviceResponds("GET /api/v1/sellers/revenue", 200, REVENUE_BODY);

    await createMerchant({ sellersPath: "/api/v1/sellers/" }).payments.sellers.revenue();

    expect(received[0]?.target).toBe("/api/v1/sellers/revenue");
  });
});

test.each([
  ["GET /sellers", SELLERS_BODY, (to: PaymentsClient) => to.sellers.list()],
  ["GET /sellers/revenue", REVENUE_BODY, (to: PaymentsClient) => to.sellers.revenue()],
])(
  "%s may need no authentication, because the specification does not show it",
  async (endpoint, body, call) => {
    const { received } = serviceResponds(endpoint, 200, body);

    await call(createMerchant({ sellersAuth: "none" }).payments);
    await call(createMerchant({ sellersAuth: "none", secretKey: undefined, publicKey: undefined }).payments);

    expect(received.map(({ headers }) => headers.has("authorization"))).toEqual([false, false]);
  },
);
