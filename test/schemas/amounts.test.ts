import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../support/merchant.ts";
import { issuesOfCard, issuesOfPix, wireOf } from "../support/recording-client.ts";

const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";
const anItem = (overrides: object) => ({
  title: "Livro",
  unitPrice: 1990,
  quantity: 1,
  tangible: true,
  ...overrides,
});

describe("an amount is a whole number of cents above zero", () => {
  test.each([[1], [1990], [100_000_000], [Number.MAX_SAFE_INTEGER]])("%d is sent", async (amount) => {
    const body = await wireOf("createPix", aPix({ amount }));

    expect(body["amount"]).toBe(amount);
  });

  test.each<[string, unknown, string]>([
    ["19.9, which is reais", 19.9, CENTS],
    ["1998.9999999999998, which is 19.99 * 100", 19.99 * 100, CENTS],
    ["zero", 0, CENTS],
    ["2^53, which JSON would round", 2 ** 53, CENTS],
    ["NaN", Number.NaN, CENTS],
    ["Infinity", Number.POSITIVE_INFINITY, CENTS],
    ["a text", "1990", CENTS],
    ["a BigInt", 1990n, CENTS],
    ["null", null, CENTS],
    ["nothing", undefined, "is required"],
  ])("%s is not sent", async (_what, amount, message) => {
    const params = { ...aPix(), amount };

    const issues = await issuesOfPix(params);

    expect(issues).toEqual([{ field: "amount", message }]);
  });
});

describe("a unit price is a whole number of cents, zero or more", () => {
  test.each([[0], [1], [Number.MAX_SAFE_INTEGER]])("%d is sent", async (unitPrice) => {
    const body = await wireOf("createPix", aPix({ items: [anItem({ unitPrice })] }));

    expect(body["items"]).toMatchObject([{ unitPrice }]);
  });

  test.each<[string, unknown, string]>([
    ["19.9", 19.9, "must be a whole number of cents"],
    ["a negative one", -1, "must not be negative"],
    ["2^53", 2 ** 53, "must be a whole number of cents"],
    ["a text", "10", "must be a whole number of cents"],
    ["nothing", undefined, "is required"],
  ])("%s is not sent", async (_what, unitPrice, message) => {
    const params = { ...aPix(), items: [anItem({}), anItem({ unitPrice })] };

    const issues = await issuesOfPix(params);

    expect(issues).toEqual([{ field: "items.1.unitPrice", message }]);
  });
});

describe("a quantity is a whole number, one or more", () => {
  test.each<[string, unknown, string]>([
    ["zero", 0, "must be one or more"],
    ["half", 0.5, "must be a whole number"],
    ["2^53", 2 ** 53, "must be a whole number"],
    ["a text", "1", "must be a whole number"],
    ["nothing", undefined, "is required"],
  ])("%s is not sent", async (_what, quantity, message) => {
    const params = { ...aPix(), items: [anItem({ quantity })] };

    const issues = await issuesOfPix(params);

    expect(issues).toEqual([{ field: "items.0.quantity", message }]);
  });
});

describe("installments are a whole number, one or more, and travel as text", () => {
  test.each([
    [1, "1"],
    [12, "12"],
    ["12", "12"],
    ["360", "360"], // the range is not shown
  ])("%j is sent as %j", async (installments, sent) => {
    const body = await wireOf("createCard", aCardPayment({ installments }));

    expect(body["installments"]).toBe(sent);
  });

  test.each<[string, unknown, string]>([
    ["zero", 0, "must be a whole number, one or more"],
    ["a fraction", 1.5, "must be a whole number, one or more"],
    ["the text of a zero", "0", "must be a whole number, one or more"],
    ["a text with a sign", "+3", "must be a whole number, one or more"],
    ["a text with a space", "3 ", "must be a whole number, one or more"],
    ["an empty text", "", "must be a whole number, one or more"],
    ["digits of another script", "٣", "must be a whole number, one or more"],
    ["null", null, "must be a whole number, one or more"],
    ["nothing", undefined, "is required"],
  ])("%s is not sent", async (_what, installments, message) => {
    const params = { ...aCardPayment(), installments };

    const issues = await issuesOfCard(params);

    expect(issues).toEqual([{ field: "installments", message }]);
  });
});

describe("the days until a pix expires are a whole number, one or more", () => {
  test.each<[string, unknown, string]>([
    ["zero", 0, "must be one or more"],
    ["half a day", 0.5, "must be a whole number of days"],
    ["null", null, "must be a whole number of days"],
  ])("%s is not sent", async (_what, expiresInDays, message) => {
    const params = { ...aPix(), pix: { expiresInDays } };

    const issues = await issuesOfPix(params);

    expect(issues).toEqual([{ field: "pix.expiresInDays", message }]);
  });

  test.each<[unknown, unknown]>([
    [{ expiresInDays: 1 }, { expiresInDays: 1 }],
    [{ expiresInDays: 31 }, { expiresInDays: 31 }],
    [{ expiresInDays: undefined }, {}],
    [{}, {}],
    [undefined, undefined],
  ])("%j is sent as %j", async (pix, sent) => {
    const body = await wireOf("createPix", { ...aPix(), pix });

    expect(body["pix"]).toEqual(sent);
  });
});
