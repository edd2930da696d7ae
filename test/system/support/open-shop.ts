import { PaymentsClient } from "payments-sdk";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";
import type { Order } from "../../../examples/checkout/server/orders.ts";
import { type RunningShop, startShop } from "../../../examples/checkout/server/start-shop.ts";

export const BUYER = {
  name: "Maria",
  email: "m@example.com",
  phone: "11999998888",
  document: "52998224725",
} as const;

export interface OpenShop {
  readonly sandbox: Sandbox;
  readonly shop: RunningShop;
  /** Every line that the shop's server logged. */
  readonly log: readonly string[];
  /** The number of approved transactions in the sandbox. */
  charges(): number;
  /** Posts like the shop's page. */
  post(
    order: Order,
    method: "card" | "pix",
    body: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  tokenFor(number: string): Promise<string>;
}

export async function openShop(postbacks: object = {}): Promise<OpenShop> {
  const sandbox = await startSandbox({ pixFields: "endpoint", postbacks });
  onTestFinished(() => sandbox.close());
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const log: string[] = [];
  const shop = await startShop({ service: sandbox, log: (line) => log.push(line) });
  onTestFinished(() => shop.close());
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
  return {
    sandbox,
    shop,
    log,
    charges: () => gateway.transactions.filter(({ status }) => status === "approved").length,
    post: ({ id }, method, body, headers = {}) =>
      fetch(`${shop.url}/orders/${id}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
        body: JSON.stringify(body),
      }),
    async tokenFor(number) {
      const expiry = { expirationMonth: 12, expirationYear: 2039 };
      return (await payments.cardTokens.create({ number, holderName: "MARIA", cvv: "123", ...expiry })).value;
    },
  };
}
