import { PaymentsClient } from "payments-sdk";
import { onTestFinished } from "vitest";
import type { Order } from "../../../examples/checkout/server/orders.ts";
import { startShop } from "../../../examples/checkout/server/start-shop.ts";
import { start } from "../../sandbox/support/running.ts";

export const BUYER = {
  name: "Maria",
  email: "m@example.com",
  phone: "11999998888",
  document: "52998224725",
} as const;

export type OpenShop = Awaited<ReturnType<typeof openShop>>;

/** A shop in front of a sandbox. */
export async function openShop(postbacks: object = {}) {
  const sandbox = await start({ pixFields: "endpoint", postbacks });
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const log: string[] = []; // every line that the shop's server logged
  const shop = await startShop({ service: sandbox, log: (line) => log.push(line) });
  onTestFinished(() => shop.close());
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
  return {
    sandbox,
    shop,
    log,
    /** The number of approved transactions in the sandbox. */
    charges: () => gateway.transactions.filter(({ status }) => status === "approved").length,
    /** Posts like the shop's page. */
    post: ({ id }: Order, method: "card" | "pix", body: object, headers: Record<string, string> = {}) =>
      fetch(`${shop.url}/orders/${id}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
        body: JSON.stringify(body),
      }),
    async tokenFor(number: string) {
      const expiry = { expirationMonth: 12, expirationYear: 2039 };
      return (await payments.cardTokens.create({ number, holderName: "MARIA", cvv: "123", ...expiry })).value;
    },
  };
}
