import {
  type CardParams,
  CardToken,
  type CreateCardParams,
  PaymentsClient,
  type PaymentsError,
  type PaymentsEvent,
} from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  CVV,
  HOLDER,
  JWT,
  leaksIn,
  NUMBER,
  OPAQUE_TOKEN,
  POSTBACK,
  PUBLIC,
  SECRET,
} from "../support/canaries.ts";
import { startServer, text } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, failureOf, merchantAt, tokenizerAt } from "../support/merchant.ts";
import { aPixData, created } from "../support/service-answers.ts";

const KEYS = { secretKey: SECRET, publicKey: PUBLIC };
/** Everything that a mistaken merchant could put anywhere. */
const VALUES = [SECRET, PUBLIC, NUMBER, "4539 1488 0343 6467", CVV, HOLDER, OPAQUE_TOKEN, JWT, POSTBACK];

function expectNoLeak(error: PaymentsError, events: readonly PaymentsEvent[]): void {
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn(events)).toEqual([]);
}

describe("a request that is refused before it is sent tells no value", () => {
  test.each(VALUES)("of any parameter: %s", async (value) => {
    const wrong = (holder: object) => Object.fromEntries(Object.keys(holder).map((key) => [key, [value]]));
    const { payments, events } = merchantAt("https://pay.example", KEYS);
    const params = {
      ...wrong(aCardPayment()),
      customer: { ...wrong(aCardPayment().customer), document: { type: value, number: value } },
      items: [{ title: [value], unitPrice: value, quantity: value, tangible: value, product_image: [value] }],
      amount: value,
      installments: value,
      card: { hash: [value] },
      colour: value,
    };

    const error = await failureOf(payments.transactions.createCard(params as unknown as CreateCardParams));

    expectNoLeak(error, events);
  });

  test.each(VALUES)("of a card: %s", async (value) => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);
    const card = {
      number: `${value}x`,
      holderName: [value],
      expirationMonth: value,
      expirationYear: value,
      cvv: `${value}x`,
      brand: value,
    };

    const error = await failureOf(payments.cardTokens.create(card as unknown as CardParams));

    expectNoLeak(error, events);
  });

  test.each(VALUES)("of options: %s", async (value) => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);
    const options = {
      timeout: value,
      signal: value,
      headers: { "x a": value },
      colour: value,
      extraBody: { amount: value },
    };

    const error = await failureOf(payments.transactions.createPix(aPix(), options as object));

    expectNoLeak(error, events);
  });

  test("that a getter throws", async () => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);
    const params = Object.defineProperty(aPix(), "ip", {
      enumerable: true,
      get: () => {
        throw new Error(VALUES.join());
      },
    });

    const error = await failureOf(payments.transactions.createPix(params));

    expectNoLeak(error, events);
  });

  test("of a card number where a token belongs", async () => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);

    const error = await failureOf(payments.transactions.createCard(aCardPayment({ card: { hash: NUMBER } })));

    expect(error).toMatchObject({
      issues: [{ field: "card.hash", message: "must be a card token, not the number of a card" }],
    });
    expectNoLeak(error, events);
  });
});

// A name that is one plain word, such as a name on a card, cannot be told from a mistyped field.
describe("nor a name that looks like a secret", () => {
  const names = [SECRET, PUBLIC, NUMBER, "4539 1488 0343 6467", "4539-1488-0343-6467", JWT, POSTBACK];

  test.each(names)("of a parameter: %s", async (name) => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);
    const customer = { ...aPix().customer, [name]: 1 };

    const error = await failureOf(payments.transactions.createPix(aPix({ [name]: 1, customer })));

    expectNoLeak(error, events);
  });

  test.each(names)("of an option: %s", async (name) => {
    const { payments, events } = merchantAt("https://pay.example", KEYS);

    const error = await failureOf(
      payments.transactions.createPix(aPix(), {
        [name]: 1,
        extraBody: { pix: { [name]: 1 }, [name]: () => 1 },
      } as object),
    );

    expectNoLeak(error, events);
  });

  test.each(names)("of a client's option: %s", (name) => {
    const construct = () => new PaymentsClient({ [name]: 1 });

    expect(construct).toThrow(expect.toSatisfy((error) => leaksIn(error).length === 0));
  });
});

describe("objects that hold secrets do not show them", () => {
  test("the client and its resources", () => {
    const { payments } = merchantAt("https://pay.example", { ...KEYS, postbackUrl: POSTBACK });

    for (const shown of [
      payments,
      payments.transactions,
      payments.cardTokens,
      payments.company,
      payments.sellers,
    ]) {
      expect(leaksIn(shown)).toEqual([]);
    }
  });

  test("the tokenizer", () => {
    expect(leaksIn(tokenizerAt("https://pay.example", { publicKey: PUBLIC }))).toEqual([]);
  });

  test.each([OPAQUE_TOKEN, JWT])("a card token, except where it travels as JSON: %s", async (value) => {
    const { baseUrl } = await startServer(text(200, value));
    const { payments, events } = merchantAt(baseUrl, KEYS);

    const token = await payments.cardTokens.create(aCard({ number: NUMBER, cvv: CVV, holderName: HOLDER }));

    expect(token).toBeInstanceOf(CardToken);
    expect(JSON.stringify({ token })).toBe(JSON.stringify({ token: value }));
    const silent = Object.defineProperty(token, "toJSON", { value: () => "left out", enumerable: false });
    expect(leaksIn(silent)).toEqual([]);
    expect(leaksIn([[{ silent }]])).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });

  test("a transaction shows its postback URL to JSON only", async () => {
    const { baseUrl } = await startServer(
      created(aPixData({ postBackUrl: POSTBACK, secureUrl: "https://pay.example/s" })),
    );
    const { payments, events } = merchantAt(baseUrl, KEYS);

    const transaction = await payments.transactions.createPix(aPix({ postbackUrl: POSTBACK }));

    expect(transaction.postBackUrl).toBe(POSTBACK);
    expect(JSON.parse(JSON.stringify(transaction)).postBackUrl).toBe(POSTBACK);
    const silent = Object.defineProperty(transaction, "toJSON", {
      value: () => "left out",
      enumerable: false,
    });
    expect(leaksIn(silent)).toEqual([]);
    expect(leaksIn({ order: { payments: [silent] } })).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });
});
