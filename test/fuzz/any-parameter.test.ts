import fc from "fast-check";
import { CardTokenizer, type PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, PUBLIC_KEY } from "../support/merchant.ts";
import { aCardData, envelope } from "../support/service-responses.ts";
import { anyValue, Made, makeAll, mutate, pathsOf } from "./support/any-value.ts";
import { CALLS, type End, endOf, scriptedClient } from "./support/scripted-client.ts";

/** Good parameters with up to three fields that are gone or anything else. */
function nearlyGood(params: object): fc.Arbitrary<Made> {
  const paths = [...pathsOf(params), ["card"], ["pix"], ["__proto__"], ["colour"]];
  const change = fc.record({ path: fc.constantFrom(...paths), value: anyValue() });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const make = () =>
      mutate(
        params,
        changes.map(({ path, value }) => ({ path, value: value.make() })),
      );
    return new Made(changes, make);
  });
}

type Json = Record<string, unknown>;

/** The specification's own rules of a request, as far as a test can say them again. */
function checkWire(text: string): void {
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

/** Nothing that is invalid leaves, what leaves is valid, and the error shows none of what came in. */
function check(end: End, sent: readonly string[]): void {
  const unsent = "error" in end && end.error.outcome === "not_sent";
  expect(sent).toHaveLength(unsent ? 0 : 1);
  for (const text of sent) checkWire(text);
  if (!unsent) return;
  expect(["invalid_request", "card_token_expired"]).toContain(end.error.code);
  expect(end.error.message).not.toMatch(/canary|\[object |Invalid input/);
}

const CREATES: Readonly<
  Record<string, [object, (to: PaymentsClient, params: never) => PromiseLike<unknown>]>
> = {
  createPix: [aPix({ metadata: { cart: 7 } }), (to, params) => to.transactions.createPix(params)],
  createCard: [aCardPayment(), (to, params) => to.transactions.createCard(params)],
  create: [
    { ...aCardPayment(), paymentMethod: "credit_card" },
    (to, params) => to.transactions.create(params),
  ],
};

describe("any value as the parameters of a create", () => {
  test.each(Object.entries(CREATES))("%s", async (_name, [params, create]) => {
    const script = scriptedClient();
    script.answer = () => new Response(JSON.stringify(envelope(aCardData())), { status: 201 });
    const input = fc.oneof(
      { weight: 1, arbitrary: anyValue() },
      { weight: 4, arbitrary: nearlyGood(params) },
    );

    await fc.assert(
      fc.asyncProperty(input, async (value) => {
        script.sent.length = 0;

        const end = await endOf(() => create(script.payments, value.make() as never));

        check(end, script.sent);
      }),
      { numRuns: 100 },
    );
  });
});

test("any value as a card", async () => {
  const script = scriptedClient();
  script.answer = () => new Response("tok_1");
  const tokenizer = new CardTokenizer({
    baseUrl: "https://pay.example",
    publicKey: PUBLIC_KEY,
    fetch: async (_url, init) => {
      script.sent.push(String(init.body));
      return script.answer();
    },
  });

  await fc.assert(
    fc.asyncProperty(fc.oneof(anyValue(), nearlyGood(aCard())), async (card) => {
      script.sent.length = 0;

      const ends = [
        await endOf(() => script.payments.cardTokens.create(card.make() as never)),
        await endOf(() => tokenizer.tokenize(card.make() as never)),
      ];

      const failed = ends.filter((end) => "error" in end);
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

const dictionaryOf = (names: readonly string[], values = anyValue()) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), values, { maxKeys: 4 })
    .map((made) => new Made(made, () => makeAll(made)));

test("extraBody never changes what was checked", async () => {
  const script = scriptedClient();
  script.answer = () => new Response(JSON.stringify(envelope(aCardData())), { status: 201 });
  await endOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());
  const plain = JSON.parse(script.sent[0] ?? "");
  const extra = dictionaryOf([...Object.keys(plain), "pix", "__proto__", "constructor"]);

  await fc.assert(
    fc.asyncProperty(extra, async (made) => {
      script.sent.length = 0;
      const extraBody = made.make();

      await endOf(() => CALLS["createCard"]?.(script.payments, { extraBody } as never) ?? Promise.reject());

      for (const sent of script.sent) expect(JSON.parse(sent)).toMatchObject(plain);
    }),
    { numRuns: 80 },
  );
});
