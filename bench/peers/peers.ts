// The other SDKs. Retries are off, connections are kept. This file is here because only here their packages are found.
import { type Connect, type Order, SECRET_KEY } from "../order.ts";

/** As much of a response as is looked at. The libraries return whatever fields the service sends. */
interface Received {
  readonly data: { readonly id: number };
}

export const creates: Readonly<Record<string, Connect>> = {
  /** Over its default transport, node:http. Sends a form instead of JSON. */
  stripe: async (baseUrl) => {
    const { default: Stripe } = await import("stripe");
    const { hostname: host, port } = new URL(baseUrl);
    const service = { host, port: Number(port), protocol: "http" } as const;
    const stripe = new Stripe(SECRET_KEY, { ...service, maxNetworkRetries: 0 });
    return async (order: Order) => {
      const response: unknown = await stripe.paymentIntents.create(order as never);
      return (response as Received).data.id;
    };
  },

  mercadopago: async (baseUrl) => {
    const { MercadoPagoConfig, Payment } = await import("mercadopago");
    const { AppConfig } = await import("mercadopago/dist/utils/config/index.js");
    Object.assign(AppConfig, { BASE_URL: baseUrl }); // it has no option for this
    const config = new MercadoPagoConfig({ accessToken: SECRET_KEY, options: { maxRetries: 0 } });
    const payment = new Payment(config);
    return async (order: Order) => {
      const response: unknown = await payment.create({ body: order as never });
      return (response as Received).data.id;
    };
  },

  /** By the method that all its resources call. */
  openai: async (baseUrl) => {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ apiKey: SECRET_KEY, baseURL: baseUrl, maxRetries: 0 });
    return async (order: Order) =>
      (await client.post<Received>("/chat/completions", { body: order })).data.id;
  },
};
