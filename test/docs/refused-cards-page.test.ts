import { type CardTransaction, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { checkTransition, createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { createGateway, TEST_CARDS } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment } from "../support/merchant.ts";
import { tableOf } from "./support/documented-tables.ts";

const REFUSED_LATER = "4000008400001629";

/** A shop that takes cards, with a store and signed postbacks, in one process with its service. */
function open() {
  const signer = new PostbackUrlSigner({
    keys: [{ kid: "1", secret: "a secret of the tests, which is long enough" }],
  });
  const store = memoryStore();
  const handler = createPostbackHandler({ signer, store, onPostback: () => undefined });
  const gateway = createGateway({
    postbacks: { fetch: async (input, init) => handler.fetch(new Request(input, init)) },
  });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, fetch, idempotency: store, postbackSigner: signer },
    onEvent: () => undefined,
  });
  const pay = async (number: string, { amount = 1990, externalRef = "order-1" } = {}) => {
    const hash = await payments.cardTokens.create(aCard({ number }));
    return payments.transactions
      .createCard(aCardPayment({ amount, externalRef, card: { hash } }))
      .withResponse();
  };
  return { gateway, handler, pay };
}

const reasonOf = (transaction: CardTransaction) =>
  transaction.status === "refused" ? transaction.refusedReason : undefined;

describe("the table of reasons", () => {
  const rows = tableOf("refused-cards.md", "Reasons");

  test("has each reason that the sandbox gives", async () => {
    const { pay } = open();
    const reasons = new Set<string | undefined>();

    for (const { number, scenario } of TEST_CARDS) {
      reasons.add(reasonOf((await pay(number, { externalRef: scenario })).data));
    }
    reasons.add(reasonOf((await pay("4111111111111111", { amount: 1, externalRef: "tiny" })).data));
    reasons.delete(undefined);

    expect(rows.map(([reason]) => reason).sort()).toEqual([...reasons].sort());
  });

  test("tells one sentence of all that a thief must not learn", () => {
    const told: string[] = [];
    for (const [, , sentence = ""] of rows)
      told.push(sentence === "the same" ? (told.at(-1) ?? "") : sentence);
    const secret = rows.flatMap(([reason = ""], at) =>
      /stolen|lost|anti-fraud|too often/.test(reason) ? [told[at]] : [],
    );

    expect(secret).toHaveLength(4);
    expect(new Set(secret)).toEqual(new Set(['"The card was not accepted. Try another, or pay by pix."']));
  });

  test("tells a buyer of no reason to fear another's card", () => {
    const sentences = rows.map(([, , sentence]) => sentence).join();

    expect(sentences).not.toMatch(/stolen|lost|fraud|reported/i);
  });
});

test("a card that is refused later frees its order, and its postback carries no reason", async () => {
  const { gateway, handler, pay } = open();
  const { data } = await pay(REFUSED_LATER);
  const during = await pay("4111111111111111");
  gateway.clock.advance(5_000);
  await handler.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });

  const after = await pay("4111111111111111");

  expect([data.status, during.data.id, during.response.replayed]).toEqual(["processing", data.id, true]);
  expect([after.data.status, after.response.replayed]).toEqual(["approved", false]);
  expect(Object.keys(gateway.deliveries[0]?.body ?? {}).sort()).toEqual([
    ...["amount", "externalRef", "id", "status", "transactionDate"],
  ]);
});

test("a refusal after an approval is unclear", () => {
  expect(checkTransition("approved", "refused")).toBe("unclear");
});
