import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfCreate } from "../../support/recording-client.ts";

const issuesOfExtraBody = (extraBody: unknown) => issuesOfCreate("createPix", aPix(), { extraBody });

describe("unknown fields are sent unchanged", () => {
  test.each<[string, object, object]>([
    ["next to known fields", { splits: [{ to: "sel_1" }] }, { splits: [{ to: "sel_1" }] }],
    ["null", { coupon: null }, { coupon: null }],
    ["but not if they are undefined", { coupon: undefined }, {}],
    ["a date", { due: new Date(0) }, { due: "1970-01-01T00:00:00.000Z" }],
  ])("%s", async (_what, extraBody, sent) => {
    const body = await bodyOf("createPix", aPix(), { extraBody });

    expect(body).toEqual({ ...(await bodyOf("createPix", aPix())), ...sent });
  });

  test("inside a known object", async () => {
    const body = await bodyOf("createCard", aCardPayment(), {
      extraBody: { customer: { birthday: "1990-01-01", document: { issuer: "SSP" } } },
    });

    expect(body["customer"]).toEqual({
      ...aCardPayment().customer,
      birthday: "1990-01-01",
      document: { ...aCardPayment().customer.document, issuer: "SSP" },
    });
  });

  test("inside a known object that the parameters do not have", async () => {
    const body = await bodyOf("createPix", aPix({ pix: undefined }), {
      extraBody: { pix: { payerNote: "obrigada" } },
    });

    expect(body["pix"]).toEqual({ payerNote: "obrigada" });
  });
});

test.each(["number", "holderName", "expirationMonth", "expirationYear", "cvv"])(
  "card data in extraBody is not sent: %s",
  async (name) => {
    const issues = await issuesOfCreate("createCard", aCardPayment(), {
      extraBody: { card: { [name]: "1" } },
    });

    expect(issues).toEqual([
      {
        field: `extraBody.card.${name}`,
        message: "is card data: convert it to a token, and pass that as card.hash",
      },
    ]);
  },
);

describe("extraBody cannot replace", () => {
  const WITH_TO_JSON = { toJSON: () => ({ amount: 1 }) };
  const OWN = "is a field of the SDK: pass it as a parameter";
  const UNSENDABLE = "is not a name that can be sent";
  const NESTED_PROTOTYPE = JSON.parse('{"customer":{"__proto__":{}}}');

  test.each<[string, unknown, string, string]>([
    ["a field of the parameters", { amount: 1 }, "extraBody.amount", OWN],
    ["a field that the parameters do not have", { ip: "203.0.113.1" }, "extraBody.ip", OWN],
    ["the payment method", { paymentMethod: "credit_card" }, "extraBody.paymentMethod", OWN],
    ["a field of the other method", { card: { hash: "t" } }, "extraBody.card", "belongs to the other method"],
    ["a whole object", { customer: "Ana" }, "extraBody.customer", OWN],
    ["a field of a missing object", { pix: { expiresInDays: -5 } }, "extraBody.pix.expiresInDays", OWN],
    ["a nested field", { customer: { document: { type: "" } } }, "extraBody.customer.document.type", OWN],
    ["a prototype", JSON.parse('{"__proto__":{"amount":1}}'), "extraBody.__proto__", UNSENDABLE],
    ["a nested prototype", NESTED_PROTOTYPE, "extraBody.customer.__proto__", UNSENDABLE],
    ["the body, by a toJSON method", WITH_TO_JSON, "extraBody.toJSON", UNSENDABLE],
    ["an object, by a toJSON method", { customer: WITH_TO_JSON }, "extraBody.customer.toJSON", UNSENDABLE],
  ])("%s", async (_what, extraBody, field, message) => {
    const issues = await issuesOfExtraBody(extraBody);

    expect(issues).toEqual([{ field, message }]);
  });

  test("anything by a toJSON that is not a function: it is sent", async () => {
    const body = await bodyOf("createPix", aPix(), { extraBody: { toJSON: 1 } });

    expect(body).toMatchObject({ amount: 1990, toJSON: 1 });
  });
});

describe("extraBody must be an object that can be written as JSON", () => {
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
    const issues = await issuesOfExtraBody(extraBody);

    expect(issues).toEqual([{ field, message }]);
  });
});
