import { memoryStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { html, stall } from "../support/http-server.ts";
import { aCard, aPix, failureOf, type Merchant, tokenizerAt } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { NODE_TRANSPORT } from "../support/transports.ts";

const create = ({ payments }: Merchant) => payments.transactions.createPix(aPix());
const refusing = html(404, "<p>");

test.each<[string, () => Promise<Merchant>, (merchant: Merchant) => PromiseLike<unknown>]>([
  ["an error response", () => startMerchant(refusing), create],
  ["an error response over nodeTransport", () => NODE_TRANSPORT.startMerchant(refusing), create],
  ["a timeout", () => startMerchant(stall, { timeout: 100 }), create],
  ["a store", () => startMerchant(refusing, { idempotency: memoryStore() }), create],
  ["withResponse", () => startMerchant(refusing), ({ payments }) => payments.sellers.list().withResponse()],
  ["a read call", () => startMerchant(refusing), ({ payments }) => payments.status.retrieve()],
  ["a tokenizer", () => startMerchant(refusing), () => tokenizerAt("https://a.invalid").tokenize(aCard())],
])("the stack of an error contains the calling function: %s", async (_what, start, call) => {
  const merchant = await start();
  async function checkout() {
    return await call(merchant);
  }

  expect((await failureOf(checkout())).stack).toContain("checkout");
});
