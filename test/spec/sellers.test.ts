import { toCents } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { REVENUE_BODY, SELLERS_BODY } from "./support/answers.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

const aSeller = (_: unknown, index: number) => ({ ...SELLERS_BODY[0], id: `sel_${index}` });

describe("the sellers", () => {
  test("are asked for at /sellers without parameters: page and limit are unavailable", async () => {
    const { arrived } = theServiceAnswers("GET /sellers", 200, SELLERS_BODY);

    await aMerchant().payments.sellers.list();

    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: "GET", target: "/sellers", text: "" });
  });

  test("come as an array whose order is kept: newest first", async () => {
    theServiceAnswers("GET /sellers", 200, SELLERS_BODY);
    const { payments, events } = aMerchant();

    const sellers = await payments.sellers.list();

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
  test("is asked for at /sellers/revenue without parameters", async () => {
    const { arrived } = theServiceAnswers("GET /sellers/revenue", 200, REVENUE_BODY);

    await aMerchant().payments.sellers.revenue();

    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: "GET", target: "/sellers/revenue", text: "" });
  });

  test("comes as an array of decimal reais, unlike every other amount", async () => {
    theServiceAnswers("GET /sellers/revenue", 200, REVENUE_BODY);
    const { payments, events } = aMerchant();

    const revenues = await payments.sellers.revenue();

    expect(JSON.parse(JSON.stringify(revenues))).toEqual(REVENUE_BODY);
    expect(driftOf(events)).toEqual([]);
  });

  test("becomes cents without float arithmetic", async () => {
    theServiceAnswers("GET /sellers/revenue", 200, REVENUE_BODY);

    const [entry] = await aMerchant().payments.sellers.revenue();

    expect(toCents(entry?.revenue.total ?? 0)).toBe(1_025_075);
    expect(toCents(entry?.revenue.month ?? 0)).toBe(10);
  });

  test("lives below the sellers, wherever these live", async () => {
    const { arrived } = theServiceAnswers("GET /api/v1/sellers/revenue", 200, REVENUE_BODY);

    await aMerchant({ sellersPath: "/api/v1/sellers/" }).payments.sellers.revenue();

    expect(arrived[0]?.target).toBe("/api/v1/sellers/revenue");
  });
});
