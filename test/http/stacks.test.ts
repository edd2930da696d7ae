import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { closedBaseUrl, html, type Reply, stall, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf, type Merchant, tokenizerAt } from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

const create = ({ payments }: Merchant) => payments.transactions.createPix(aPix());

describe.each(TRANSPORTS)(
  "over $name, the stack of an error contains the calling function",
  ({ merchantAt }) => {
    test.each<[string, () => Promise<Merchant>, (merchant: Merchant) => PromiseLike<unknown>]>([
      ["an error response", async () => at(html(502, "<p>")), create],
      ["an unexpected response", async () => at(text(201, "{")), create],
      ["a timeout", async () => at(stall, { timeout: 100 }), create],
      ["no connection", async () => merchantAt(await closedBaseUrl(), { maxRetries: 0 }), create],
      ["a store", async () => at(html(502, "<p>"), { idempotency: memoryStore() }), create],
      [
        "invalid parameters",
        async () => at(stall),
        ({ payments }) => payments.transactions.createPix(aPix({ amount: 0 })),
      ],
      [
        "withResponse",
        async () => at(html(502, "<p>")),
        ({ payments }) => payments.transactions.createPix(aPix()).withResponse(),
      ],
      ["a read call", async () => at(html(404, "<p>")), ({ payments }) => payments.status.retrieve()],
    ])("%s", async (_what, start, call) => {
      const merchant = await start();
      async function checkout() {
        return await call(merchant);
      }

      expect((await failureOf(checkout())).stack).toContain("checkout");
    });

    async function at(reply: Reply, options = {}) {
      return merchantAt((await startServer(reply)).baseUrl, options);
    }
  },
);

test("the stack of a tokenizer's error contains the calling function", async () => {
  const tokenizer = tokenizerAt(await closedBaseUrl());
  async function tokenizeInPage() {
    return await tokenizer.tokenize(aCard());
  }

  expect((await failureOf(tokenizeInPage())).stack).toContain("tokenizeInPage");
});
