import { describe, expect, test } from "vitest";
import { unknownNames } from "../../../src/data/known-names.ts";
import { PixRequest } from "../../../src/resources/transactions/request.ts";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { issuesOfCard, issuesOfPix } from "../../support/recording-client.ts";

const UNKNOWN = "is not a field that the specification names (extraBody sends such fields as they are)";
const CARD_DATA = "is card data: make a token of it, and give that as card.hash";
const meant = (name: string) => `is not a known field (did you mean ${name}?)`;

describe("a name that is not known is refused, with the nearest one that is", () => {
  test.each([
    ["amont", meant("amount")],
    ["post_back_url", meant("postbackUrl")],
    ["postBackUrl", meant("postbackUrl")], // the spelling of the answer
    ["externalReference", UNKNOWN],
    ["itmes", meant("items")], // two neighbours that changed places
    ["ipp", meant("ip")],
    ["xx", UNKNOWN], // two letters of a name of three
    ["externalId", meant("externalRef")], // the name in the answer
    ["capture", UNKNOWN],
    ["x".repeat(41), UNKNOWN],
  ])("%s", async (name, message) => {
    const issues = await issuesOfPix({ ...aPix(), [name]: 1 });

    expect(issues).toEqual([{ field: name, message }]);
  });

  test.each<[string, object, string, string]>([
    ["the customer", { customer: { ...aPix().customer, phones: "1" } }, "customer.phones", meant("phone")],
    ["the customer", { customer: { ...aPix().customer, birthday: "1" } }, "customer.birthday", UNKNOWN],
    ["the pix", { pix: { expires_in_day: 1 } }, "pix.expires_in_day", meant("expiresInDays")],
    [
      "an item",
      { items: [{ title: "a", unitPrice: 1990, quantity: 1, tangible: true, unit_price: 2 }] },
      "items.0.unit_price",
      meant("unitPrice"),
    ],
  ])("also in %s", async (_where, part, field, message) => {
    const issues = await issuesOfPix({ ...aPix(), ...part });

    expect(issues).toEqual([{ field, message }]);
  });

  test("also in the card", async () => {
    const issues = await issuesOfCard({ ...aCardPayment(), card: { hash: "tok_1", hsh: "tok_2" } });

    expect(issues).toEqual([{ field: "card.hsh", message: meant("hash") }]);
  });

  test.each(["number", "holderName", "expirationMonth", "expirationYear", "cvv"])(
    "and card data, %s for one, is told where it belongs",
    async (name) => {
      const issues = await issuesOfCard({ ...aCardPayment(), card: { hash: "tok_1", [name]: "1" } });

      expect(issues).toEqual([{ field: `card.${name}`, message: CARD_DATA }]);
    },
  );

  test("but not where the same name is no card data", async () => {
    const item = { title: "a", unitPrice: 1990, quantity: 1, tangible: true, number: 7 };

    const issues = await issuesOfPix({ ...aPix(), items: [item] });

    expect(issues).toEqual([{ field: "items.0.number", message: UNKNOWN }]);
  });

  test("unless it is there without a value", async () => {
    const issues = await issuesOfPix({ ...aPix(), amount: 0, colour: undefined });

    expect(issues.map(({ field }) => field)).toEqual(["amount"]);
  });

  test("but not inside metadata, which is the merchant's own", async () => {
    const issues = await issuesOfPix({ ...aPix(), amount: 0, metadata: { amont: 1, __proto__: null } });

    expect(issues.map(({ field }) => field)).toEqual(["amount"]);
  });

  test("and a name that looks like a secret, or is no name, is not repeated", async () => {
    const issues = await issuesOfPix({
      ...aPix(),
      sk_live_1234: 1,
      "4111111111111111": 1,
      ["x".repeat(5000)]: 1,
    });

    expect(JSON.stringify(issues)).not.toMatch(/sk_live|4111/);
    expect(Math.max(...issues.map(({ field }) => field.length))).toBeLessThan(80);
  });
});

describe("names that mean something to JavaScript mean nothing here", () => {
  test.each(["__proto__", "constructor", "toString"])("%s is a name that is not known", async (name) => {
    const json = JSON.stringify(aPix()).replace("{", `{${JSON.stringify(name)}:{"amount":1},`);

    const issues = await issuesOfPix(JSON.parse(json));

    expect(issues).toEqual([{ field: name, message: UNKNOWN }]);
  });

  test("nothing is read from a prototype that came as data", async () => {
    const { amount: _, ...few } = aPix();
    const params = JSON.parse(JSON.stringify(few).replace("{", '{"__proto__":{"amount":1990},'));

    const issues = await issuesOfPix(params);

    expect(issues.map(({ field }) => field).sort()).toEqual(["__proto__", "amount"]);
  });

  test("a name that an object inherits was not passed in", () => {
    const inherited = Object.assign(Object.create({ surprise: 1 }), { amount: 1990 });

    expect(unknownNames(PixRequest, inherited, {})).toEqual([]);
  });
});
