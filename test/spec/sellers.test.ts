import { toCents } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { REVENUE_BODY, SELLERS_BODY } from "./support/answers.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

const aSeller = (_: unknown, index: number) => ({ ...SELLERS_BODY[0], id: `sel_${index}` });

describe("the sellers", () => {
  test("are asked for at /sellers without parameters, and keep their order: newest first", async () => {
    const { arrived } = theServiceAnswers("GET /sellers", 200, SELLERS_BODY);
    const { payments, events } = aMerchant();

    const sellers = await payments.sellers.list();

    expect(arrived).toMatchObject([{ method: "GET", target: "/sellers", text: "" }]);
    expect(JSON.parse(JSON.stringify(sellers))).toEqual(SELLERS_BODY);
    expect(sellers.map(({ raw }) => raw)).toEqual(SELLERS_BODY);
    expect(driftOf(events)).toEqual([]);
  });

  test.each([
    [99, 0],
    [100, 1],
    [101, 0], // then 100 is not the limit
  ])("%d of them on a page give %d warnings that there may be more", async (count, warnings) => {
    theServiceAnswers("GET /sellers", 200, Array.from({ length: count }, aSeller));
    const { payments, events } = aMerchant();

    const sellers = await payments.sellers.list();

    expect(sellers).toHaveLength(count);
    const told = events.filter(({ type }) => type === "warning");
    expect(told).toHaveLength(warnings);
    for (const warning of told) expect(warning).toMatchObject({ endpoint: "sellers.list", field: "length" });
  });

  test("may live under a prefix, which the specification does not show", async () => {
    const { arrived } = theServiceAnswers("GET /api/v1/sellers", 200, SELLERS_BODY);

    await aMerchant({ sellersPath: "/api/v1/sellers" }).payments.sellers.list();

    expect(arrived[0]?.target).toBe("/api/v1/sellers");
  });

  test("may be open to everybody, because their authentication is not shown", async () => {
    const { arrived } = theServiceAnswers("GET /sellers", 200, SELLERS_BODY);

    await aMerchant({ sellersAuth: "none" }).payments.sellers.list();

    expect(arrived[0]?.headers.has("authorization")).toBe(false);
  });
});

describe("the sellers' revenue", () => {
  test("is asked for at /sellers/revenue without parameters, and comes as decimal reais", async () => {
    const { arrived } = theServiceAnswers("GET /sellers/revenue", 200, REVENUE_BODY);
    const { payments, events } = aMerchant();

    const revenues = await payments.sellers.revenue();

    expect(arrived).toMatchObject([{ method: "GET", target: "/sellers/revenue", text: "" }]);
    expect(JSON.parse(JSON.stringify(revenues))).toEqual(REVENUE_BODY);
    expect(toCents(revenues[0]?.revenue.total ?? 0)).toBe(1_025_075);
    expect(driftOf(events)).toEqual([]);
  });

  test("lives below the sellers, wherever these live", async () => {
    const { arrived } = theServiceAnswers("GET /api/v1/sellers/revenue", 200, REVENUE_BODY);

    await aMerchant({ sellersPath: "/api/v1/sellers/" }).payments.sellers.revenue();

    expect(arrived[0]?.target).toBe("/api/v1/sellers/revenue");
  });
});
