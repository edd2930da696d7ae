import fc from "fast-check";
import { CardTokenizer, type PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, PUBLIC_KEY } from "../support/merchant.ts";
import { aCardData, envelope } from "../support/service-responses.ts";
import { anyValue, Generated, mutate, pathsOf } from "./support/any-value.ts";
import { type CallResult, resultOf, scriptedClient } from "./support/scripted-client.ts";

/** Valid parameters with up to three fields removed or replaced by any value. */
function nearlyValid(params: object): fc.Arbitrary<Generated> {
  const paths = [...pathsOf(params), ["card"], ["pix"], ["__proto__"], ["colour"]];
  const change = fc.record({ path: fc.constantFrom(...paths), value: anyValue() });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const make = () =>
      mutate(
        params,
        changes.map(({ path, value }) => ({ path, value: value.make() })),
      );
    return new Generated(changes, make);
  });
}

type Json = Record<string, unknown>;

/** The specification's rules for a request. */
function checkBody(text: string): void {
  const body: Json = JSON.parse(text);
  const customer = body["customer"] as Json;
  const document = customer["document"] as Json;

  expect(body["amount"]).toSatisfy((amount) => Number.isSafeInteger(amount) && Number(amount) > 0);
  expect(customer["name"]).toMatch(/\S/);
  expect(customer["email"]).toMatch(/@/);
  expect(document["number"]).toMatch(document["type"] === "cpf" ? /^\d{11}$/ : /^[\dA-Z]{14}$/);
  expect(body["metadata"] ?? "").toBeTypeOf("string");
  for (const item of (body["items"] ?? []) as Json[]) {
    expect(item["unitPrice"]).toSatisfy((price) => Number.isSafeInteger(price) && Number(price) >= 0);
    expect(item["quantity"]).toSatisfy((count) => Number.isSafeInteger(count) && Number(count) > 0);
  }
  if (body["paymentMethod"] === "credit_card") {
    expect(body["installments"]).toMatch(/^[1-9]\d*$/);
    expect((body["card"] as Json)["hash"]).toMatch(/^\S+$/);
    expect(body).not.toHaveProperty("pix");
  } else {
    expect(body["paymentMethod"]).toBe("pix");
    expect(body).not.toHaveProperty("card");
    expect(body).not.toHaveProperty("installments");
  }
}

/** Only valid requests are sent, and the error contains none of the values. */
function checkResult(settled: CallResult, sent: readonly string[]): void {
  const isUnsent = "error" in settled && settled.error.outcome === "not_sent";
  expect(sent).toHaveLength(isUnsent ? 0 : 1);
  for (const text of sent) checkBody(text);
  if (!isUnsent) return;
  expect(["invalid_request", "card_token_expired"]).toContain(settled.error.code);
  expect(settled.error.message).not.toMatch(/canary|\[object |Invalid input/);
}

const CREATE_CALLS: Readonly<
  Record<string, [object, (to: PaymentsClient, params: never) => PromiseLike<unknown>]>
> = {
  createPix: [aPix({ metadata: { cart: 7 } }), (to, params) => to.transactions.createPix(params)],
  createCard: [aCardPayment(), (to, params) => to.transactions.createCard(params)],
  create: [
    { ...aCardPayment(), paymentMethod: "credit_card" },
    (to, params) => to.transactions.create(params),
  ],
};

describe("any value as the parameters of a create call is sent only if it is valid", () => {
  test.each(Object.entries(CREATE_CALLS))("%s", async (_name, [params, create]) => {
    const script = scriptedClient();
    script.respond = () => new Response(JSON.stringify(envelope(aCardData())), { status: 201 });
    const input = fc.oneof(
      { weight: 1, arbitrary: anyValue() },
      { weight: 4, arbitrary: nearlyValid(params) },
    );

    await fc.assert(
      fc.asyncProperty(input, async (value) => {
        script.sent.length = 0;

        const settled = await resultOf(() => create(script.payments, value.make() as never));

        checkResult(settled, script.sent);
      }),
      { numRuns: 100 },
    );
  });
});

test("any value as a card is sent only if it is valid", async () => {
  const script = scriptedClient();
  script.respond = () => new Response("tok_1");
  const tokenizer = new CardTokenizer({
    baseUrl: "https://pay.example",
    publicKey: PUBLIC_KEY,
    fetch: async (_url, init) => {
      script.sent.push(String(init.body));
      return script.respond();
    },
  });

  await fc.assert(
    fc.asyncProperty(fc.oneof(anyValue(), nearlyValid(aCard())), async (card) => {
      script.sent.length = 0;

      const settledCalls = [
        await resultOf(() => script.payments.cardTokens.create(card.make() as never)),
        await resultOf(() => tokenizer.tokenize(card.make() as never)),
      ];

      const failed = settledCalls.filter((settled) => "error" in settled);
      expect(script.sent).toHaveLength(2 - failed.length);
      for (const text of script.sent) {
        expect(JSON.parse(text)).toEqual({
          number: expect.stringMatching(/^\d{12,19}$/),
          holderName: expect.stringMatching(/\S/),
          expirationMonth: expect.stringMatching(/^(0[1-9]|1[0-2])$/),
          expirationYear: expect.stringMatching(/^\d{4}$/),
          cvv: expect.stringMatching(/^\d{3,4}$/),
        });
      }
    }),
    { numRuns: 80 },
  );
});
