import { MercadoPagoConfig, Payment } from "mercadopago";
import { AppConfig } from "mercadopago/dist/utils/config/index.js";
import type { Connect } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";
import type { Answer } from "../support/orders.ts";

type Body = Parameters<Payment["create"]>[0]["body"];

/** Its own create of a payment. */
export const connect: Connect = (baseUrl) => {
  Object.assign(AppConfig, { BASE_URL: baseUrl }); // it has no option for this
  const payment = new Payment(new MercadoPagoConfig({ accessToken: SECRET_KEY, options: { maxRetries: 0 } }));
  return async (order) => {
    const answer: unknown = await payment.create({ body: order as unknown as Body });
    return (answer as Answer).data.id;
  };
};
