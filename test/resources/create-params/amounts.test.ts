import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfCard, issuesOfPix } from "../../support/recording-client.ts";

const anItem = (overrides: object = {}) => ({
  title: "Livro",
  unitPrice: 1990,
  quantity: 1,
  tangible: true,
  ...overrides,
});

describe("an amount is a whole number of cents above zero", () => {
  test.each([[1], [1990], [Number.MAX_SAFE_INTEGER]])("%d is sent", async (amount) => {
    const body = await bodyOf("createPix", aPix({ amount }));

    expect(body["amount"]).toBe(amount);
  });

  const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";

  test.each<[string, unknown, string]>([
    ["19.9, which is reais", 19.9, CENTS],
    ["1998.9999999999998, which is 19.99 * 100", 19.99 * 100, CENTS],
    ["zero", 0, CENTS],
    ["a negative amount", -1990, CENTS],
    ["2^53, which JSON would round", 2 ** 53, CENTS],
    ["NaN", Number.NaN, CENTS],
    ["Infinity", Number.POSITIVE_INFINITY, CENTS],
    ["a string", "1990", CENTS],
    ["a BigInt", 1990n, CENTS],
    ["null", null, CENTS],
    ["undefined", undefined, "is required"],
  ])("%s is not sent", async (_what, amount, message) => {
    expect(await issuesOfPix({ ...aPix(), amount })).toEqual([{ field: "amount", message }]);
  });
});

describe("a unit price is a whole number of cents, zero or more; a quantity one or more", () => {
  test.each([[0], [Number.MAX_SAFE_INTEGER]])("a unit price of %d is sent", async (unitPrice) => {
    const body = await bodyOf("createPix", aPix({ items: [anItem({ unitPrice })] }));

    expect(body["items"]).toMatchObject([{ unitPrice }]);
  });

  test.each<[string, unknown, string]>([
    ["unitPrice", 19.9, "must be a whole number of cents"],
    ["unitPrice", -1, "must not be negative"],
    ["unitPrice", 2 ** 53, "must be a whole number of cents"],
    ["unitPrice", "10", "must be a whole number of cents"],
    ["unitPrice", undefined, "is required"],
    ["quantity", 0, "must be one or more"],
    ["quantity", 0.5, "must be a whole number"],
    ["quantity", "1", "must be a whole number"],
    ["quantity", undefined, "is required"],
  ])("%s %j is not sent", async (name, value, message) => {
    const issues = await issuesOfPix({ ...aPix(), items: [anItem(), anItem({ [name]: value })] });

    expect(issues).toEqual([{ field: `items.1.${name}`, message }]);
  });
});

describe("installments are a whole number, one or more, and are sent as a string", () => {
  test.each([
    [1, "1"],
    [12, "12"],
    ["12", "12"],
    ["360", "360"], // the specification shows no maximum
  ])("%j is sent as %j", async (installments, sent) => {
    const body = await bodyOf("createCard", aCardPayment({ installments }));

    expect(body["installments"]).toBe(sent);
  });

  test.each([[0], [-1], [1.5], ["0"], ["+3"], ["3 "], [""], ["٣"], [null], [["3"]]])(
    "%j is not sent",
    async (installments) => {
      const issues = await issuesOfCard({ ...aCardPayment(), installments });

      expect(issues).toEqual([{ field: "installments", message: "must be a whole number, one or more" }]);
    },
  );
});

describe("the days until a pix expires are a whole number, one or more", () => {
  test.each<[unknown, string]>([
    [0, "must be one or more"],
    [0.5, "must be a whole number of days"],
    [null, "must be a whole number of days"],
  ])("%j is not sent", async (expiresInDays, message) => {
    const issues = await issuesOfPix({ ...aPix(), pix: { expiresInDays } });

    expect(issues).toEqual([{ field: "pix.expiresInDays", message }]);
  });

  test.each<[unknown, unknown]>([
    [{ expiresInDays: 1 }, { expiresInDays: 1 }],
    [{ expiresInDays: 31 }, { expiresInDays: 31 }],
    [{ expiresInDays: undefined }, {}],
    [undefined, undefined],
  ])("%j is sent as %j", async (pix, sent) => {
    const body = await bodyOf("createPix", { ...aPix(), pix });

    expect(body["pix"]).toEqual(sent);
  });
});
