import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { issuesOfCard, issuesOfPix } from "../../support/recording-client.ts";

const UNKNOWN = "is not a field of the specification (to send it anyway, use extraBody)";
const CARD_DATA = "is card data: convert it to a token, and pass that as card.hash";
const suggestion = (name: string) => `is not a known field (did you mean ${name}?)`;

describe("a field with an unknown name is an issue", () => {
  test.each([
    ["amont", suggestion("amount")],
    ["post_back_url", suggestion("postbackUrl")],
    ["postBackUrl", suggestion("postbackUrl")], // the spelling of the response
    ["externalReference", UNKNOWN],
    ["itmes", suggestion("items")], // two transposed characters
    ["ipp", suggestion("ip")],
    ["xx", UNKNOWN], // two of three characters are wrong
    ["externalId", suggestion("externalRef")], // the name in the response
    ["capture", UNKNOWN],
    ["x".repeat(41), UNKNOWN],
  ])("that suggests the nearest known name: %s", async (name, message) => {
    const issues = await issuesOfPix({ ...aPix(), [name]: 1 });

    expect(issues).toEqual([{ field: name, message }]);
  });

  test.each<[string, object, string, string]>([
    [
      "the customer",
      { customer: { ...aPix().customer, phones: "1" } },
      "customer.phones",
      suggestion("phone"),
    ],
    ["the customer", { customer: { ...aPix().customer, birthday: "1" } }, "customer.birthday", UNKNOWN],
    ["the pix", { pix: { expires_in_day: 1 } }, "pix.expires_in_day", suggestion("expiresInDays")],
    [
      "an item",
      { items: [{ title: "a", unitPrice: 1990, quantity: 1, tangible: true, unit_price: 2 }] },
      "items.0.unit_price",
      suggestion("unitPrice"),
    ],
  ])("in %s", async (_where, part, field, message) => {
    const issues = await issuesOfPix({ ...aPix(), ...part });

    expect(issues).toEqual([{ field, message }]);
  });

  test("in the card", async () => {
    const issues = await issuesOfCard({ ...aCardPayment(), card: { hash: "tok_1", hsh: "tok_2" } });

    expect(issues).toEqual([{ field: "card.hsh", message: suggestion("hash") }]);
  });

  test.each(["number", "holderName", "expirationMonth", "expirationYear", "cvv"])(
    "that explains where card data belongs: %s",
    async (name) => {
      const issues = await issuesOfCard({ ...aCardPayment(), card: { hash: "tok_1", [name]: "1" } });

      expect(issues).toEqual([{ field: `card.${name}`, message: CARD_DATA }]);
    },
  );

  test("that does not mention card data outside the card", async () => {
    const item = { title: "a", unitPrice: 1990, quantity: 1, tangible: true, number: 7 };

    const issues = await issuesOfPix({ ...aPix(), items: [item] });

    expect(issues).toEqual([{ field: "items.0.number", message: UNKNOWN }]);
  });

  test("unless its value is undefined", async () => {
    const issues = await issuesOfPix({ ...aPix(), amount: 0, colour: undefined });

    expect(issues.map(({ field }) => field)).toEqual(["amount"]);
  });

  test("but not inside metadata", async () => {
    const issues = await issuesOfPix({ ...aPix(), amount: 0, metadata: { amont: 1, __proto__: null } });

    expect(issues.map(({ field }) => field)).toEqual(["amount"]);
  });
});

describe("names with a meaning in JavaScript have none in parameters", () => {
  test.each(["__proto__", "constructor", "toString"])("%s is an unknown name", async (name) => {
    const json = JSON.stringify(aPix()).replace("{", `{${JSON.stringify(name)}:{"amount":1},`);

    const issues = await issuesOfPix(JSON.parse(json));

    expect(issues).toEqual([{ field: name, message: UNKNOWN }]);
  });

  test("__proto__ in JSON does not provide fields", async () => {
    const { amount: _, ...rest } = aPix();
    const params = JSON.parse(JSON.stringify(rest).replace("{", '{"__proto__":{"amount":1990},'));

    const issues = await issuesOfPix(params);

    expect(issues.map(({ field }) => field).sort()).toEqual(["__proto__", "amount"]);
  });

  test("an inherited name is not reported", async () => {
    const inherited = Object.assign(Object.create({ surprise: 1 }), aPix(), { amount: 0 });

    const issues = await issuesOfPix(inherited);

    expect(issues.map(({ field }) => field)).toEqual(["amount"]);
  });
});
