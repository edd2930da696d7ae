import { join } from "node:path";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import type { PaymentsClient } from "payments-sdk";
import { expect, onTestFinished, test } from "vitest";
import { aCard, aCardPayment, eventsOf, merchantAt, tokenizerAt } from "../../support/merchant.ts";
import { root } from "../../support/tool.ts";

/** Starts Prism with the document: it responds with the examples, and lists what it forbids in `sl-violations`. */
async function startPrism(): Promise<string> {
  const checks = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: false };
  const prism = createServer(await getHttpOperationsFromSpec(join(root, "docs/openapi.json")), {
    cors: false,
    config: { ...checks, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } },
    components: { logger: createLogger("prism", { level: "silent" }) },
  });
  onTestFinished(() => prism.close());
  return prism.listen(0, "127.0.0.1");
}

const cardPayment = aCardPayment({ amount: 5990, externalRef: "order-1001" }); // as in the examples
const { paymentMethod: _method, installments: _installments, card: _card, ...order } = cardPayment;
const { amount, customer } = cardPayment;

test.each<[string, (payments: PaymentsClient) => PromiseLike<object>, string?]>([
  ["a pix", ({ transactions }) => transactions.createPix({ ...order, pix: { expiresInDays: 2 } })],
  ["a pix of the guide", ({ transactions }) => transactions.createPix({ amount, customer })],
  ["a card payment", ({ transactions }) => transactions.createCard(cardPayment), "approvedCard"],
  ["a refused card", ({ transactions }) => transactions.createCard(cardPayment), "refusedCard"],
  ["a tokenization", ({ cardTokens }) => cardTokens.create(aCard())],
  ["the company", ({ company }) => company.retrieve()],
  ["the status", ({ status }) => status.retrieve()],
  ["the sellers", ({ sellers }) => sellers.list()],
  ["the revenue", ({ sellers }) => sellers.revenue()],
])("for %s, the document allows what the client sends, and the client reads the example", async (...row) => {
  const [, call, example = ""] = row;
  const violations: (string | null)[] = [];
  const { payments, events } = merchantAt(await startPrism(), {
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      if (example) headers.set("prefer", `example=${example}`);
      const response = await fetch(url, { ...init, headers });
      violations.push(response.headers.get("sl-violations"));
      return response;
    },
  });

  await call(payments);

  expect(violations).toEqual([null]);
  expect(eventsOf(events, "drift")).toEqual([]);
});

test("the document allows what CardTokenizer sends, and not every card", async () => {
  const baseUrl = await startPrism();

  await expect(tokenizerAt(baseUrl).tokenize(aCard())).resolves.toHaveProperty("value");
  const invalid = await fetch(`${baseUrl}/api/v1/card-token?publicKey=pk_1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...aCard(), cvv: 123 }),
  });
  expect(invalid.headers.get("sl-violations")).toContain("cvv");
});
