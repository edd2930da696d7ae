import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfCard, issuesOfCreate, issuesOfPix } from "../../support/recording-client.ts";

const OF_A_CARD = 'belongs to a card payment; use paymentMethod "credit_card" or createCard';
const OF_A_PIX = 'belongs to a pix; use paymentMethod "pix" or createPix';

describe("a field of the other payment method is not sent", () => {
  test.each<[string, unknown, string]>([
    ["card", { hash: "tok_a1b2c3d4e5" }, OF_A_CARD],
    ["installments", 1, OF_A_CARD],
  ])("%s %j on a pix", async (name, value, message) => {
    const issues = await issuesOfPix({ ...aPix(), [name]: value });

    expect(issues).toEqual([{ field: name, message }]);
  });

  test("pix on a card payment", async () => {
    const issues = await issuesOfCard({ ...aCardPayment(), pix: { expiresInDays: 1 } });

    expect(issues).toEqual([{ field: "pix", message: OF_A_PIX }]);
  });

  test("unless it is undefined", async () => {
    const pix = await bodyOf("createPix", { ...aPix(), card: undefined, installments: undefined });
    const card = await bodyOf("createCard", { ...aCardPayment(), pix: undefined });

    expect(Object.keys(pix)).not.toContain("card");
    expect(Object.keys(card)).not.toContain("pix");
  });
});

describe("the function or paymentMethod selects the payment method", () => {
  test.each<["createPix" | "createCard" | "create", object, unknown, string]>([
    ["createPix", aPix(), "credit_card", 'must be "pix"'],
    ["createCard", aCardPayment(), "pix", 'must be "credit_card"'],
    ["createCard", aCardPayment(), "debit_card", 'must be "credit_card"'],
    ["create", aPix(), undefined, 'must be "credit_card" or "pix"'],
    ["create", aPix(), "boleto", 'must be "credit_card" or "pix"'],
    ["create", aPix(), "__proto__", 'must be "credit_card" or "pix"'],
  ])("%s refuses %o with paymentMethod %j", async (method, params, paymentMethod, message) => {
    const issues = await issuesOfCreate(method, { ...params, paymentMethod });

    expect(issues).toContainEqual({ field: "paymentMethod", message });
  });

  test("with an unknown payment method, the fields of both methods are still checked", async () => {
    const issues = await issuesOfCreate("create", {
      ...aCardPayment(),
      paymentMethod: "debit_card",
      amount: 0,
      colour: "blue",
    });

    expect(issues.map(({ field }) => field).sort()).toEqual(["amount", "colour", "paymentMethod"]);
  });
});

describe("a pix needs an amount and a customer", () => {
  test.each(["externalRef", "postbackUrl", "traceable", "items", "ip", "metadata", "pix"])(
    "and no %s, which is not sent if it is undefined",
    async (name) => {
      const { amount, customer } = aPix();
      const required = { amount, customer };

      const missing = await bodyOf("createPix", required);
      const withUndefined = await bodyOf("createPix", { ...required, [name]: undefined });

      expect(Object.keys(missing)).toEqual(["paymentMethod", "amount", "customer"]);
      expect(withUndefined).toEqual(missing);
    },
  );

  test.each(["amount", "customer"])("%s is required", async (name) => {
    const issues = await issuesOfPix({ ...aPix(), [name]: undefined });

    expect(issues).toEqual([{ field: name, message: "is required" }]);
  });
});

describe("a card payment needs every field", () => {
  test.each(Object.keys(aCardPayment()))("%s is required", async (name) => {
    const issues = await issuesOfCard({ ...aCardPayment(), [name]: undefined });

    expect(issues).toEqual([{ field: name, message: "is required" }]);
  });

  test.each(["name", "email", "phone", "document"])("customer.%s is required", async (name) => {
    const issues = await issuesOfCard({
      ...aCardPayment(),
      customer: { ...aCardPayment().customer, [name]: undefined },
    });

    expect(issues).toEqual([{ field: `customer.${name}`, message: "is required" }]);
  });
});
