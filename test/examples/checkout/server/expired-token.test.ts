import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { startShop } from "../../../../examples/checkout/server/start-shop.ts";

const BUYER = { name: "Maria", email: "m@example.com", phone: "11999998888", document: "52998224725" };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwtOf = (claims: object) => `${part({ alg: "HS256" })}.${part(claims)}.c2lnbmF0dXJl`;
const now = Math.floor(Date.now() / 1_000);

async function payWith(token: string) {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const shop = await startShop({ service: sandbox });
  onTestFinished(() => shop.close());
  const order = shop.orders.create();
  const answer = await fetch(`${shop.url}/orders/${order.id}/card`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ buyer: BUYER, revision: 0, installments: 1, token }),
  });
  return { answer, order, sandbox };
}

test.each([
  ["as its own claims tell", jwtOf({ iat: now - 600, exp: now - 300 })],
  ["as only the service can tell", jwtOf({ iat: now, exp: now + 300 })],
])("a token that is of no use any more, %s, asks for another one and charges nobody", async (_how, token) => {
  const { answer, order, sandbox } = await payWith(token);

  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ refusal: { code: "card_token_expired" } });
  expect(order.kind).toBe("open");
  expect(sandbox.gateway.transactions).toEqual([]);
});
