// Ways to create a transaction that need nothing from bench/peers.
import { Agent, type IncomingMessage, request } from "node:http";
import { AUTHORIZATION, type Connect, PUBLIC_KEY, SECRET_KEY } from "./order.ts";

const HEADERS = { "content-type": "application/json", authorization: AUTHORIZATION };
const KEYS = { publicKey: PUBLIC_KEY, secretKey: SECRET_KEY };

export const contenders: Readonly<Record<string, Connect>> = {
  /** The baseline: what Node brings, without a timeout and without a check of the response. */
  fetch: (baseUrl) => async (order) => {
    const body = JSON.stringify(order);
    const response = await fetch(`${baseUrl}/api/v1/transactions`, {
      method: "POST",
      headers: HEADERS,
      body,
    });
    return JSON.parse(await response.text()).data.id;
  },

  "node:http": (baseUrl) => {
    const url = new URL(`${baseUrl}/api/v1/transactions`);
    const agent = new Agent({ keepAlive: true });
    return async (order) => {
      const body = JSON.stringify(order);
      const headers = { ...HEADERS, "content-length": Buffer.byteLength(body) };
      const answer = await new Promise<string>((resolve, reject) => {
        const read = (response: IncomingMessage) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => resolve(text)).on("error", reject);
        };
        request(url, { method: "POST", agent, headers }, read).on("error", reject).end(body);
      });
      return JSON.parse(answer).data.id;
    };
  },

  ky: async (baseUrl) => {
    const { default: ky } = await import("ky");
    const headers = { authorization: AUTHORIZATION };
    return async (order) => {
      const sent = ky.post(`${baseUrl}/api/v1/transactions`, { json: order, headers, retry: 0 });
      return (await sent.json<{ data: { id: number } }>()).data.id;
    };
  },

  "payments-sdk": async (baseUrl) => {
    const { PaymentsClient } = await import("payments-sdk");
    const payments = new PaymentsClient({ baseUrl, ...KEYS });
    return async (order) => (await payments.transactions.create(order)).id;
  },

  "payments-sdk, onEvent": async (baseUrl) => {
    const { PaymentsClient } = await import("payments-sdk");
    const payments = new PaymentsClient({ baseUrl, ...KEYS, onEvent: () => undefined });
    return async (order) => (await payments.transactions.create(order)).id;
  },

  "payments-sdk, nodeTransport": async (baseUrl) => {
    const { PaymentsClient } = await import("payments-sdk");
    const { nodeTransport } = await import("payments-sdk/node");
    const payments = new PaymentsClient({ baseUrl, ...KEYS, fetch: nodeTransport() });
    return async (order) => (await payments.transactions.create(order)).id;
  },
};
