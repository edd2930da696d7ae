import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { issuesOfCreate, wireOf } from "../../support/recording-client.ts";

const issuesOfExtra = (extraBody: unknown) => issuesOfCreate("createPix", aPix(), { extraBody });

describe("fields that the SDK does not know yet are sent as they are", () => {
  test.each<[string, object, object]>([
    ["beside its own", { splits: [{ to: "sel_1", cents: 5 }] }, { splits: [{ to: "sel_1", cents: 5 }] }],
    ["null", { coupon: null }, { coupon: null }],
    ["without a value, that is not at all", { coupon: undefined }, {}],
    ["a date", { due: new Date(0) }, { due: "1970-01-01T00:00:00.000Z" }],
  ])("%s", async (_what, extraBody, sent) => {
    const body = await wireOf("createPix", aPix(), { extraBody });

    expect(body).toEqual({ ...(await wireOf("createPix", aPix())), ...sent });
  });

  test("inside a part that it knows", async () => {
    const body = await wireOf("createCard", aCardPayment(), {
      extraBody: { customer: { birthday: "1990-01-01", document: { issuer: "SSP" } } },
    });

    expect(body["customer"]).toEqual({
      ...aCardPayment().customer,
      birthday: "1990-01-01",
      document: { ...aCardPayment().customer.document, issuer: "SSP" },
    });
  });

  test("inside a part that was not given", async () => {
    const body = await wireOf("createPix", aPix(), { extraBody: { pix: { payerNote: "obrigada" } } });

    expect(body["pix"]).toEqual({ payerNote: "obrigada" });
  });
});

test.each(["number", "holderName", "expirationMonth", "expirationYear", "cvv"])(
  "card data is not sent among them: %s",
  async (name) => {
    const issues = await issuesOfCreate("createCard", aCardPayment(), {
      extraBody: { card: { [name]: "1" } },
    });

    expect(issues).toEqual([
      {
        field: `extraBody.card.${name}`,
        message: "is card data: make a token of it, and give that as card.hash",
      },
    ]);
  },
);

describe("they never replace what the SDK checked", () => {
  const BY_ITSELF = { toJSON: () => ({ amount: 1 }) };
  const OWN = "is a field of its own: give it as a parameter";
  const UNSENDABLE = "is not a name that can be sent";

  test.each<[string, unknown, string, string]>([
    ["a field that was given", { amount: 1 }, "extraBody.amount", OWN],
    ["a field that was not given", { ip: "203.0.113.1" }, "extraBody.ip", OWN],
    ["the method", { paymentMethod: "credit_card" }, "extraBody.paymentMethod", OWN],
    [
      "a field of the other method",
      { card: { hash: "tok_1" } },
      "extraBody.card",
      "belongs to the other method",
    ],
    ["a part, whole", { customer: "Ana" }, "extraBody.customer", OWN],
    [
      "a field of a part that was not given",
      { pix: { expiresInDays: -5 } },
      "extraBody.pix.expiresInDays",
      OWN,
    ],
    [
      "a field further in",
      { customer: { document: { number: "1" } } },
      "extraBody.customer.document.number",
      OWN,
    ],
    ["a prototype", JSON.parse('{"__proto__":{"amount":1}}'), "extraBody.__proto__", UNSENDABLE],
    [
      "a prototype in a part",
      JSON.parse('{"customer":{"__proto__":{}}}'),
      "extraBody.customer.__proto__",
      UNSENDABLE,
    ],
    ["the whole, by its own toJSON", BY_ITSELF, "extraBody.toJSON", UNSENDABLE],
    ["a part, by its own toJSON", { customer: BY_ITSELF }, "extraBody.customer.toJSON", UNSENDABLE],
  ])("%s", async (_what, extraBody, field, message) => {
    const issues = await issuesOfExtra(extraBody);

    expect(issues).toEqual([{ field, message }]);
  });

  test("but toJSON is a name like any other where it is no function", async () => {
    const body = await wireOf("createPix", aPix(), { extraBody: { toJSON: 1 } });

    expect(body).toMatchObject({ ...aPix(), toJSON: 1 });
  });
});

describe("extraBody is an object that can become JSON", () => {
  const throwing = Object.defineProperty({}, "a", { get: () => JSON.parse("{"), enumerable: true });

  test.each<[string, unknown, string, string]>([
    ["null", null, "extraBody", "must be an object"],
    ["an array", [], "extraBody", "must be an object"],
    ["a BigInt inside", { total: 7n }, "extraBody", "cannot be written as JSON"],
    ["a getter that throws", throwing, "extraBody.a", "could not be read"],
    [
      "half of a surrogate pair",
      { note: "\ud800" },
      "extraBody.note",
      "must not contain half of a surrogate pair",
    ],
  ])("%s", async (_what, extraBody, field, message) => {
    const issues = await issuesOfExtra(extraBody);

    expect(issues).toEqual([{ field, message }]);
  });
});
