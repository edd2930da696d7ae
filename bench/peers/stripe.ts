// In this folder, because only here its package is found.
import { Stripe } from "stripe";
import { type Connect, type Order, SECRET_KEY } from "../order.ts";

/** Over its default transport, node:http. Sends a form instead of JSON, without retries. */
export const connect: Connect = (baseUrl) => {
  const { hostname: host, port } = new URL(baseUrl);
  const service = { host, port: Number(port), protocol: "http" } as const;
  const client = new Stripe(SECRET_KEY, { ...service, maxNetworkRetries: 0 });
  return async (order: Order) => {
    const response: unknown = await client.paymentIntents.create(order as never);
    return (response as { data: { id: number } }).data.id; // it returns whatever fields the service sends
  };
};
