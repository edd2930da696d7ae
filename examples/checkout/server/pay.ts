import { isPaymentsError, type Transaction } from "payments-sdk";
import type { Buyer, PaymentRefusal } from "../shared/order-view.ts";
import { type Attempt, type Order, type Outcome, PRODUCT } from "./orders.ts";
import type { Shop } from "./shop.ts";

/** The buyer's inputs, by the names that the service has for them. */
const INPUTS: Readonly<Record<string, keyof Buyer>> = {
  "customer.name": "name",
  "customer.email": "email",
  "customer.phone": "phone",
  "customer.document.number": "document",
};

/** What every payment of the shop has in common. */
export function paymentOf(attempt: Attempt, buyer: Buyer, ip: string) {
  return {
    amount: attempt.order.amount,
    customer: {
      name: buyer.name,
      email: buyer.email,
      phone: buyer.phone,
      document: { type: "cpf", number: buyer.document },
    },
    externalRef: attempt.externalRef,
    items: [PRODUCT],
    ip,
    traceable: true,
    metadata: { order: attempt.order.id },
  } as const;
}

/**
 * Makes one attempt to pay an order, and leaves the order in the state that it came to. The outcome of an error
 * decides: what charged nobody may be tried again, what may have charged somebody may not.
 *
 * @returns why nobody was charged; `undefined` where somebody was, or may have been.
 */
export async function payOnce<Paid extends Transaction>(
  shop: Shop,
  attempt: Attempt,
  create: () => PromiseLike<Paid>,
  outcomeOf: (transaction: Paid) => Outcome,
): Promise<PaymentRefusal | undefined> {
  const { order, externalRef } = attempt;
  try {
    const transaction = await create();
    attempt.transactionId ??= transaction.id;
    const outcome = outcomeOf(transaction);
    settle(shop, attempt, outcome, "");
    return undefined;
  } catch (error) {
    if (!isPaymentsError(error)) {
      order.leaveOpen(attempt);
      throw error;
    }
    shop.log(`${externalRef}: ${error.code}, outcome ${error.outcome}`);
    // A pix whose code nobody saw is paid by nobody. If it were all the same, its postback counts.
    const chargedNobody =
      error.outcome === "not_sent" || error.outcome === "rejected" || attempt.method === "pix";
    if (chargedNobody) return giveBack(order, attempt, error);
    order.leaveOpen(attempt);
    return undefined;
  }
}

/** Takes note of a status, and says so. */
export function settle(shop: Shop, attempt: Attempt, outcome: Outcome, source: string): void {
  const { order, externalRef } = attempt;
  order.settle(attempt, outcome);
  shop.log(`${externalRef}: ${outcome.status}${source}`);
  if (order.isPaidTwice) shop.log(`PAID TWICE: ${order.id}. Give one of the payments back.`);
}

function giveBack(order: Order, attempt: Attempt, error: { code: string; issues?: unknown }): PaymentRefusal {
  order.giveBack(attempt);
  const fields = Array.isArray(error.issues) ? error.issues.map(({ field }) => String(field)) : [];
  // The service may know that a token is too old before our clock does.
  if (error.code === "card_token_expired" || fields.includes("card.hash"))
    return { code: "card_token_expired" };
  const inputs = fields.map((field) => INPUTS[field]).filter((input) => input !== undefined);
  return inputs.length > 0 ? { code: "invalid_buyer", fields: inputs } : { code: "unavailable" };
}
