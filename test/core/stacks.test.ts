import { PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt, tokenizerAt } from "../support/merchant.ts";

function merchantWhere(kind: FaultKind, options: object = {}) {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  gateway.faults.add({ on: "transactions.create", kind });
  return new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, timeout: 200, ...options });
}

const rows: readonly [string, () => Promise<unknown>][] = [
  [
    "a create that the service answers with an error",
    () => merchantWhere("html_502").transactions.createPix(aPix()),
  ],
  ["one whose answer cannot be used", () => merchantWhere("truncated_json").transactions.createPix(aPix())],
  ["one that no answer comes to", () => merchantWhere("charged_then_stalled").transactions.createPix(aPix())],
  [
    "one with a store",
    () => merchantWhere("html_502", { idempotency: memoryStore() }).transactions.createPix(aPix()),
  ],
  ["one that is not valid", () => merchantWhere("html_502").transactions.createPix(aPix({ amount: 0 }))],
  [
    "one whose answer was asked for",
    () => merchantWhere("html_502").transactions.createPix(aPix()).withResponse(),
  ],
];

test.each(rows)("the stack of an error names the function that called: %s", async (_what, call) => {
  async function checkoutOfTheShop() {
    return await call();
  }

  const { stack } = await failureOf(checkoutOfTheShop());

  expect(stack).toMatch(/checkoutOfTheShop/);
});

test.each([
  ["fetch", undefined],
  ["nodeTransport", nodeTransport],
])("it does so where the connection fails, over %s", async (_what, transport) => {
  const fetch = transport?.();
  onTestFinished(() => fetch?.close());
  const baseUrl = await closedBaseUrl();
  const { payments } = merchantAt(baseUrl, { fetch, maxRetries: 0 });
  async function checkoutOfTheShop() {
    return await payments.transactions.createPix(aPix());
  }
  async function statusOfTheShop() {
    return await payments.status.retrieve();
  }
  async function pageOfTheShop() {
    return await tokenizerAt(baseUrl).tokenize(aCard());
  }

  const stacks = [checkoutOfTheShop, statusOfTheShop, pageOfTheShop].map(async (caller) => {
    const { stack } = await failureOf(caller());
    return stack?.includes(caller.name);
  });

  expect(await Promise.all(stacks)).toEqual([true, true, true]);
});
