import { expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfCreate } from "../../support/recording-client.ts";

const CARD = aCardPayment();
const WITHOUT_PIX = aPix({ pix: undefined });
const BIRTHDAY = { birthday: "1990-01-01", document: { issuer: "SSP" } };
const { customer } = CARD;

test.each<[string, object, object, object]>([
  ["next to known fields", WITHOUT_PIX, { splits: [{ to: "sel_1" }] }, { splits: [{ to: "sel_1" }] }],
  ["null", WITHOUT_PIX, { coupon: null }, { coupon: null }],
  ["but not if they are undefined", WITHOUT_PIX, { coupon: undefined }, {}],
  ["a date", WITHOUT_PIX, { due: new Date(0) }, { due: "1970-01-01T00:00:00.000Z" }],
  ["a toJSON that is not a function", WITHOUT_PIX, { toJSON: 1 }, { toJSON: 1 }],
  ["inside an object that the parameters do not have", WITHOUT_PIX, { pix: { a: 1 } }, { pix: { a: 1 } }],
  [
    ...(["inside a known object", CARD, { customer: BIRTHDAY }] as const),
    { customer: { ...customer, ...BIRTHDAY, document: { ...customer.document, ...BIRTHDAY.document } } },
  ],
])("unknown fields of extraBody are sent unchanged: %s", async (_what, params, extraBody, sent) => {
  const method = params === CARD ? "createCard" : "createPix";

  const body = await bodyOf(method, params, { extraBody });

  expect(body).toEqual({ ...(await bodyOf(method, params)), ...sent });
});

const WITH_TO_JSON = { toJSON: () => ({ amount: 1 }) };
const OWN = "is a field of the SDK: pass it as a parameter";
const UNSENDABLE = "is not a name that can be sent";
const CARD_DATA = "is card data: convert it to a token, and pass that as card.hash";
const HALF = "must not contain half of a surrogate pair";
const throwing = Object.defineProperty({}, "a", { get: () => JSON.parse("{"), enumerable: true });

test.each<[string, unknown, string, string]>([
  ["a field of the parameters", { amount: 1 }, ".amount", OWN],
  ["a field that the parameters do not have", { ip: "203.0.113.1" }, ".ip", OWN],
  ["the payment method", { paymentMethod: "credit_card" }, ".paymentMethod", OWN],
  ["a field of the other method", { pix: {} }, ".pix", "belongs to the other method"],
  ["a whole object", { customer: "Ana" }, ".customer", OWN],
  ["a nested field", { customer: { document: { type: "" } } }, ".customer.document.type", OWN],
  ["a prototype", JSON.parse('{"__proto__":{"amount":1}}'), ".__proto__", UNSENDABLE],
  ["a nested one", JSON.parse('{"customer":{"__proto__":{}}}'), ".customer.__proto__", UNSENDABLE],
  ["the body, by a toJSON method", WITH_TO_JSON, ".toJSON", UNSENDABLE],
  ["an object, by a toJSON method", { customer: WITH_TO_JSON }, ".customer.toJSON", UNSENDABLE],
  ...["number", "holderName", "expirationMonth", "expirationYear", "cvv"].map(
    (name): [string, unknown, string, string] => [
      name,
      { card: { [name]: "1" } },
      `.card.${name}`,
      CARD_DATA,
    ],
  ),
  ["null", null, "", "must be an object"],
  ["an array", [], "", "must be an object"],
  ["a BigInt inside", { total: 7n }, "", "cannot be written as JSON"],
  ["a getter that throws", throwing, ".a", "could not be read"],
  ["half of a surrogate pair", { note: "\ud800" }, ".note", HALF],
])(
  "extraBody replaces no field, and has neither card data nor unreadable values: %s",
  async (_what, ...row) => {
    const [extraBody, path, message] = row;

    const issues = await issuesOfCreate("createCard", CARD, { extraBody });

    expect(issues).toEqual([{ field: `extraBody${path}`, message }]);
  },
);

test("extraBody has no field of an object that the parameters do not have", async () => {
  const extraBody = { pix: { expiresInDays: -5 } };

  const issues = await issuesOfCreate("createPix", WITHOUT_PIX, { extraBody });

  expect(issues).toEqual([{ field: "extraBody.pix.expiresInDays", message: OWN }]);
});
