import { InvalidRequestError } from "payments-sdk";
import { expect, test } from "vitest";
import { aCardPayment, aPix, failureOf } from "../../support/merchant.ts";
import {
  issuesOfCard,
  issuesOfCreate,
  issuesOfPix,
  recordingClient,
} from "../../support/recording-client.ts";

const UNKNOWN = "is not a field of the specification (to send it anyway, use extraBody)";
const CARD_DATA = "is card data: convert it to a token, and pass that as card.hash";
const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";
const suggestion = (name: string) => `is not a known field (did you mean ${name}?)`;

const ITEM = { title: "a", unitPrice: 1990, quantity: 1, tangible: true };
const { customer } = aPix();

test.each<[string, string, object]>([
  ["amont", suggestion("amount"), { amont: 1 }],
  ["post_back_url", suggestion("postbackUrl"), { post_back_url: 1 }],
  ["postBackUrl", suggestion("postbackUrl"), { postBackUrl: 1 }], // the spelling of the response
  ["externalReference", UNKNOWN, { externalReference: 1 }],
  ["itmes", suggestion("items"), { itmes: 1 }], // two transposed characters
  ["ipp", suggestion("ip"), { ipp: 1 }],
  ["xx", UNKNOWN, { xx: 1 }], // two of three characters are wrong
  ["externalId", suggestion("externalRef"), { externalId: 1 }], // the name in the response
  ["capture", UNKNOWN, { capture: 1 }],
  ["x".repeat(41), UNKNOWN, { ["x".repeat(41)]: 1 }],
  ["customer.phones", suggestion("phone"), { customer: { ...customer, phones: "1" } }],
  ["customer.birthday", UNKNOWN, { customer: { ...customer, birthday: "1" } }],
  ["pix.expires_in_day", suggestion("expiresInDays"), { pix: { expires_in_day: 1 } }],
  ["items.0.unit_price", suggestion("unitPrice"), { items: [{ ...ITEM, unit_price: 2 }] }],
  ["items.0.number", UNKNOWN, { items: [{ ...ITEM, number: 7 }] }], // not card data
  // Neither an `undefined` nor the content of metadata is a field.
  ["amount", CENTS, { amount: 0, colour: undefined, metadata: { amont: 1, __proto__: null } }],
  // Names with a meaning in JavaScript have none in parameters.
  ["__proto__", UNKNOWN, JSON.parse('{"__proto__":{"amount":1}}')],
  ["constructor", UNKNOWN, { constructor: 1 }],
  ["toString", UNKNOWN, { toString: 1 }],
])("a field of an unknown name is an issue with the nearest known name: %s", async (field, message, part) => {
  const params = { ...aPix() };
  for (const [name, value] of Object.entries(part)) {
    Object.defineProperty(params, name, { value, enumerable: true });
  }

  expect(await issuesOfPix(params)).toEqual([{ field, message }]);
});

test.each([
  ["hsh", suggestion("hash")],
  ...["number", "holderName", "expirationMonth", "expirationYear", "cvv"].map((name) => [name, CARD_DATA]),
])(
  "an unknown field of the card is an issue, and the error explains where card data belongs: %s",
  async (name, message) => {
    const issues = await issuesOfCard({ ...aCardPayment(), card: { hash: "tok_1", [String(name)]: "1" } });

    expect(issues).toEqual([{ field: `card.${name}`, message }]);
  },
);

test("__proto__ in JSON does not provide fields, and an inherited name is not reported", async () => {
  const { amount: _, ...rest } = aPix();
  const params = JSON.parse(JSON.stringify(rest).replace("{", '{"__proto__":{"amount":1990},'));
  const inherited = Object.assign(Object.create({ surprise: 1 }), aPix(), { amount: 0 });

  const issues = [await issuesOfPix(params), await issuesOfPix(inherited)];

  expect(issues.map((found) => found.map(({ field }) => field).sort())).toEqual([
    ["__proto__", "amount"],
    ["amount"],
  ]);
});

test("all issues are reported together, once each, those of options and of extraBody included", async () => {
  const wrong = {
    amount: "1990",
    customer: { name: " ", email: "ana", document: { type: "cpf", number: "1" }, nickname: "ana" },
    items: [
      { ...ITEM, unitPrice: 19.9, quantity: 0 },
      { ...ITEM, title: "" },
    ],
    installments: "x",
    card: { hash: "4111111111111111" },
    pix: { expiresInDays: "x" },
    colour: "blue",
  };
  const options = { timeout: -1, extraBody: { amount: 1, total: 7n } };

  const issues = await issuesOfCreate("createCard", { ...aCardPayment(), ...wrong }, options);

  expect(issues.map(({ field }) => field).sort()).toEqual([
    ...["amount", "card.hash", "colour", "customer.document.number", "customer.email", "customer.name"],
    ...["customer.nickname", "customer.phone", "extraBody", "extraBody.amount", "installments"],
    ...["items.0.quantity", "items.0.unitPrice", "items.1.title", "options.timeout", "pix"],
  ]);
});

test("one error has all issues, and its message has the first 20", async () => {
  const { payments, sent } = recordingClient();
  const items = Array.from({ length: 500 }, () => ({ ...ITEM, title: "" }));

  const error = await failureOf(payments.transactions.createPix(aPix({ amount: 0, items })));

  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", actor: "merchant" });
  expect(error.externalRef).toBe("order-1");
  expect(error.message).toMatch(
    /amount must be .*; .*items\.18\.title must not be empty; and 481 more\..*Nothing was sent/,
  );
  expect(error.toJSON()).toHaveProperty("issues.length", 501);
  expect(sent).toEqual([]);
});
