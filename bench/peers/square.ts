import { SquareClient } from "square";
import type { Connect } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";
import { type Order, tokenOf } from "../support/orders.ts";

/** Its own create of a payment; it sends only fields that it knows, so the order's data goes by their names. */
export const connect: Connect = (baseUrl) => {
  const square = new SquareClient({ token: SECRET_KEY, baseUrl, maxRetries: 0 });
  return async (order) => (await square.payments.create(asItsOwn(order))).payment?.id;
};

function asItsOwn(order: Order) {
  const { name, email, phone } = order.customer;
  const address = { addressLine1: order.postbackUrl ?? "", addressLine2: order.ip ?? "", firstName: name };
  return {
    sourceId: tokenOf(order),
    idempotencyKey: order.externalRef ?? "",
    amountMoney: { amount: BigInt(order.amount), currency: "BRL" as const },
    autocomplete: true,
    referenceId: order.externalRef ?? "",
    customerId: order.customer.document.number,
    buyerEmailAddress: email,
    ...(phone !== undefined && { buyerPhoneNumber: phone }),
    billingAddress: address,
    note: JSON.stringify([order.items, order.metadata]),
  };
}
