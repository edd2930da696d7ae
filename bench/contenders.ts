// Ways to create a transaction that need nothing from bench/peers.
import type { PaymentsClientOptions, PaymentsEvent } from "payments-sdk";
import { AUTHORIZATION, type Connect, type Create, PUBLIC_KEY, REQUEST_ID, SECRET_KEY } from "./order.ts";

const HEADERS = { "content-type": "application/json", authorization: AUTHORIZATION };
const KEYS = { publicKey: PUBLIC_KEY, secretKey: SECRET_KEY };

export const contenders: Readonly<Record<string, Connect>> = {
  /** The baseline: what Node brings, without a timeout and without a check of the response. */
  fetch: (baseUrl) => async (order) => {
    const init = { method: "POST", headers: HEADERS, body: JSON.stringify(order) };
    const response = await fetch(`${baseUrl}/api/v1/transactions`, init);
    return JSON.parse(await response.text()).data.id;
  },

  ky: async (baseUrl) => {
    const { default: ky } = await import("ky");
    const headers = { authorization: AUTHORIZATION };
    return async (order) => {
      const sent = ky.post(`${baseUrl}/api/v1/transactions`, { json: order, headers, retry: 0 });
      return (await sent.json<{ data: { id: number } }>()).data.id;
    };
  },

  "payments-sdk": (baseUrl, hasListener) => ours({ baseUrl, ...KEYS }, hasListener),

  "payments-sdk, nodeTransport": async (baseUrl, hasListener) => {
    const { nodeTransport } = await import("payments-sdk/node");
    return ours({ baseUrl, ...KEYS, fetch: nodeTransport() }, hasListener);
  },
};

/** The listener reads the request id, as a log would. */
async function ours(options: PaymentsClientOptions, hasListener: boolean): Promise<Create> {
  const { PaymentsClient } = await import("payments-sdk");
  let heard: string | undefined;
  const onEvent = (event: PaymentsEvent) => {
    if (event.type === "response") heard = event.requestId;
  };
  const payments = new PaymentsClient(hasListener ? { ...options, onEvent } : options);
  return async (order) => {
    const { id } = await payments.transactions.create(order);
    if (hasListener && heard !== REQUEST_ID) throw new Error(`The listener received ${heard}.`);
    return id;
  };
}
