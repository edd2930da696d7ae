import { CheckoutAPI, Client, EnvironmentEnum, type Types } from "@adyen/api-library";
import type { Connect } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";
import { type Order, tokenOf } from "../support/orders.ts";

type HttpClient = Client["httpClient"];

/**
 * Its own create of a payment; it sends only fields that it knows, so the order's data goes by their names. Over fetch,
 * because its own way is TLS, with a new connection for each call.
 */
export const connect: Connect = (baseUrl) => {
  const client = new Client({ apiKey: SECRET_KEY, environment: EnvironmentEnum.TEST }, overFetch(baseUrl));
  const { PaymentsApi } = new CheckoutAPI(client);
  return async (order) => (await PaymentsApi.payments(asItsOwn(order))).pspReference;
};

function overFetch(baseUrl: string): HttpClient {
  return {
    request: async (endpoint, json, config) => {
      const url = `${baseUrl}${new URL(endpoint).pathname}`;
      const headers = { "content-type": "application/json", "x-api-key": config.apiKey ?? "" };
      const response = await fetch(url, { method: "POST", headers, body: String(json) });
      return response.text();
    },
  };
}

function asItsOwn(order: Order): Types.checkout.PaymentRequest {
  return {
    amount: { currency: "BRL", value: order.amount },
    merchantAccount: "LojaExemplo",
    reference: order.externalRef ?? "",
    returnUrl: order.postbackUrl ?? "",
    paymentMethod: { storedPaymentMethodId: tokenOf(order) },
    shopperEmail: order.customer.email,
    shopperName: { firstName: order.customer.name, lastName: "" },
    socialSecurityNumber: order.customer.document.number,
    ...(order.customer.phone !== undefined && { telephoneNumber: order.customer.phone }),
    ...(order.ip !== undefined && { shopperIP: order.ip }),
    lineItems:
      order.items?.map(({ title, unitPrice, quantity }) => ({
        description: title,
        amountIncludingTax: unitPrice,
        quantity,
        itemCategory: "goods",
      })) ?? [],
    metadata: { ...(order.metadata as Record<string, string>) },
  };
}
