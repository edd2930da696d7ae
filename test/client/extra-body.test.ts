import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../support/merchant.ts";
import { issuesOfCreate, wireOf } from "../support/recording-client.ts";

const PIX = aPix({ pix: { expiresInDays: 2 } });
const issuesOf = (extraBody: unknown, params = PIX) => issuesOfCreate("createPix", params, { extraBody });

test.each<[string, object]>([
  ["beside the known ones", { split: [{ seller: "s1", amount: 10 }], softDescriptor: "LOJA" }],
  ["null, false and zero", { nothing: null, never: false, zero: 0 }],
  ["in a known object", { pix: { discountDays: 1 } }],
  ["in an object of a known object", { customer: { birthdate: "1990-01-01", document: { issuer: "SSP" } } }],
  ["with names of JavaScript's own", { constructor: "x", prototype: "y", toString: "z", toJSON: 1 }],
])("fields that the SDK does not know are sent as they are: %s", async (_where, extraBody) => {
  const body = await wireOf("createPix", PIX, { extraBody });

  expect(body).toMatchObject(extraBody);
  expect(body).toMatchObject({ paymentMethod: "pix", ...PIX });
});

test("they are sent in an object that was not given, too", async () => {
  const body = await wireOf("createPix", aPix(), { extraBody: { pix: { payerNote: "obrigada" } } });

  expect(body["pix"]).toEqual({ payerNote: "obrigada" });
});

test("a card payment has them, too, and what was passed in stays as it was", async () => {
  const extraBody = { card: { brand: "visa" } };

  const body = await wireOf("createCard", aCardPayment(), { extraBody });

  expect(body["card"]).toEqual({ hash: "tok_a1b2c3d4e5", brand: "visa" });
  expect(extraBody).toEqual({ card: { brand: "visa" } });
});

test("card data is not sent among them", async () => {
  const issues = await issuesOfCreate("createCard", aCardPayment(), { extraBody: { card: { cvv: "123" } } });

  expect(issues).toEqual([
    {
      field: "extraBody.card.cvv",
      message: "is card data: make a token of it, and give that as card.hash",
    },
  ]);
});

describe("extraBody never replaces what the SDK checked", () => {
  const OWN = "is a field of its own: give it as a parameter";
  const NAME = "is not a name that can be sent";

  test.each<[string, object, string, string]>([
    ["a field", { amount: 1 }, "extraBody.amount", OWN],
    ["a field that was not given", { ip: "::1" }, "extraBody.ip", OWN],
    ["the method", { paymentMethod: "credit_card" }, "extraBody.paymentMethod", OWN],
    ["a field of the other method", { card: { hash: "x" } }, "extraBody.card", "belongs to the other method"],
    ["a whole object", { customer: null }, "extraBody.customer", OWN],
    ["a list", { items: [] }, "extraBody.items", OWN],
    ["a field in an object", { pix: { expiresInDays: 9 } }, "extraBody.pix.expiresInDays", OWN],
    [
      "a field further in",
      { customer: { document: { number: "1" } } },
      "extraBody.customer.document.number",
      OWN,
    ],
    ["a prototype", JSON.parse('{"__proto__":{"amount":1}}'), "extraBody.__proto__", NAME],
    [
      "a prototype of an object",
      JSON.parse('{"customer":{"__proto__":{"name":"x"}}}'),
      "extraBody.customer.__proto__",
      NAME,
    ],
    [
      "an object that becomes JSON in its own way",
      { customer: { toJSON: () => ({ name: "x" }) } },
      "extraBody.customer.toJSON",
      NAME,
    ],
  ])("%s", async (_what, extraBody, field, message) => {
    expect(await issuesOf(extraBody)).toEqual([{ field, message }]);
  });
});

describe("extraBody is an object that can become JSON", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const throwing = Object.defineProperty({}, "split", { enumerable: true, get: () => JSON.parse("{") });

  test.each<[string, unknown, string, string]>([
    ["a text", "split", "extraBody", "must be an object"],
    ["null", null, "extraBody", "must be an object"],
    ["a list", [1], "extraBody", "must be an object"],
    ["a cycle", { cycle }, "extraBody.cycle.self", "must not contain itself"],
    ["half of a letter", { name: "\ud800" }, "extraBody.name", "must not contain half of a surrogate pair"],
    ["a bigint", { total: 1n }, "extraBody", "cannot be written as JSON"],
    ["a getter that throws", throwing, "extraBody.split", "could not be read"],
  ])("%s is refused", async (_what, extraBody, field, message) => {
    expect(await issuesOf(extraBody)).toEqual([{ field, message }]);
  });

  test("its problems are reported with those of the parameters", async () => {
    const issues = await issuesOf({ amount: 1, customer: 5 }, aPix({ amount: 0 }));

    expect(issues.map(({ field }) => field)).toEqual(["amount", "extraBody.amount", "extraBody.customer"]);
  });
});
