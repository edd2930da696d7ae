import type { CardTransaction } from "payments-sdk";
import type { CardPayment, PaymentRefusal } from "../shared/order-view.ts";
import type { Order, Outcome } from "./orders.ts";
import { paymentOf, payOnce } from "./pay.ts";
import type { Shop } from "./shop.ts";

/** Cards that one order may be tried with. */
const MOST_REFUSALS = 3;

/** Charges a card, of which the server knows no more than its token. */
export async function payByCard(
  shop: Shop,
  order: Order,
  { buyer, installments, token, revision }: CardPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  if (order.refusals >= MOST_REFUSALS || shop.refusals.isReached(ip)) return { code: "too_many_attempts" };
  const attempt = order.begin("card", revision);
  if (attempt === undefined) return { code: "busy" };
  const payment = paymentOf(attempt, buyer, ip);
  const isFirst = order.refusals === 0;
  return payOnce(
    shop,
    attempt,
    () => shop.payments.transactions.createCard({ ...payment, installments, card: { hash: token } }),
    (transaction) => {
      if (transaction.status === "refused") shop.refusals.count(ip);
      return outcomeOf(transaction, isFirst);
    },
  );
}

/**
 * A declined card is a result like an approved one: the status tells. Its reason helps a buyer once; told every time,
 * it would help somebody who is guessing a date or a code.
 */
function outcomeOf(transaction: CardTransaction, tellReason: boolean): Outcome {
  const { status } = transaction;
  // A card that is `pending` is waiting for the service, not for the buyer.
  if (status === "pending") return { status: "processing" };
  return transaction.status === "refused" && tellReason
    ? { status, refusedReason: transaction.refusedReason }
    : { status };
}
