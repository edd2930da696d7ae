import Stripe from "stripe";
import type { Create } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";
import type { Answer, Order } from "../support/orders.ts";

/** Its own create of a payment; it writes the order as a form and gives the answer as it came. */
export function paymentIntents(baseUrl: string, httpClient: Stripe.HttpClient): Create {
  const { hostname, port } = new URL(baseUrl);
  const stripe = new Stripe(SECRET_KEY, {
    host: hostname,
    port: Number(port),
    protocol: "http",
    maxNetworkRetries: 0,
    httpClient,
  });
  return async (order) => {
    const answer = await stripe.paymentIntents.create(asItsOwn(order));
    return (answer as unknown as Answer).data.id;
  };
}

/** The fields are ours, of which the library knows nothing: it sends any. */
const asItsOwn = (order: Order) => order as unknown as Stripe.PaymentIntentCreateParams;
