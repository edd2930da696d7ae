import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { closedBaseUrl, html, type Reply, stall, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf, type Merchant, tokenizerAt } from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

const create = ({ payments }: Merchant) => payments.transactions.createPix(aPix());

describe.each(TRANSPORTS)(
  "over $name, the stack of an error names the function that called",
  ({ merchantAt }) => {
    test.each<[string, () => Promise<Merchant>, (merchant: Merchant) => PromiseLike<unknown>]>([
      ["an answer that says no", async () => at(html(502, "<p>")), create],
      ["an answer that cannot be used", async () => at(text(201, "{")), create],
      ["no answer", async () => at(stall, { timeout: 100 }), create],
      ["no connection", async () => merchantAt(await closedBaseUrl(), { maxRetries: 0 }), create],
      ["a store", async () => at(html(502, "<p>"), { idempotency: memoryStore() }), create],
      [
        "wrong parameters",
        async () => at(stall),
        ({ payments }) => payments.transactions.createPix(aPix({ amount: 0 })),
      ],
      [
        "withResponse",
        async () => at(html(502, "<p>")),
        ({ payments }) => payments.transactions.createPix(aPix()).withResponse(),
      ],
      ["a read", async () => at(html(404, "<p>")), ({ payments }) => payments.status.retrieve()],
    ])("%s", async (_what, start, call) => {
      const merchant = await start();
      async function checkoutOfTheShop() {
        return await call(merchant);
      }

      expect((await failureOf(checkoutOfTheShop())).stack).toContain("checkoutOfTheShop");
    });

    async function at(reply: Reply, options = {}) {
      return merchantAt((await startServer(reply)).baseUrl, options);
    }
  },
);

test("so does that of the tokenizer", async () => {
  const tokenizer = tokenizerAt(await closedBaseUrl());
  async function pageOfTheShop() {
    return await tokenizer.tokenize(aCard());
  }

  expect((await failureOf(pageOfTheShop())).stack).toContain("pageOfTheShop");
});
