import { type CardTransaction, isPaymentsError, type PaymentsError, type PixTransaction } from "payments-sdk";
import type { Buyer, CardPayment, PaymentRefusal, PixPayment } from "../shared/order-view.ts";
import { type Attempt, type Order, type Outcome, PRODUCT } from "./orders.ts";
import type { Shop } from "./start-shop.ts";

/** How many cards may be refused for one order. `Shop.refusals` limits them for one address. */
const MOST_REFUSALS = 3;

/** Charges a card, of which the server gets nothing but the token. */
export async function payByCard(
  shop: Shop,
  order: Order,
  { buyer, revision, installments, token }: CardPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  if (order.refusals >= MOST_REFUSALS || shop.refusals.isReached(ip)) return { code: "too_many_attempts" };
  const attempt = order.begin("card", revision);
  if (attempt === undefined) return { code: "busy" };
  const payment = { ...paymentOf(attempt, buyer, ip), installments, card: { hash: token } };
  return payOnce(shop, attempt, async () => {
    const transaction = await shop.payments.transactions.createCard(payment);
    if (transaction.status === "refused") shop.refusals.count(ip);
    return { id: transaction.id, outcome: outcomeOfCard(transaction, order.refusals === 0) };
  });
}

/** Creates a pix. Only a postback reports that it is paid. */
export async function payByPix(
  shop: Shop,
  order: Order,
  { buyer, revision }: PixPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  const attempt = order.begin("pix", revision);
  if (attempt === undefined) return { code: "busy" };
  const payment = { ...paymentOf(attempt, buyer, ip), pix: { expiresInDays: 1 } };
  return payOnce(shop, attempt, async () => {
    const transaction = await shop.payments.transactions.createPix(payment, { replaceLost: true });
    return { id: transaction.id, outcome: outcomeOfPix(transaction) };
  });
}

function paymentOf({ order, externalRef }: Attempt, buyer: Buyer, ip: string) {
  const { document, ...contact } = buyer;
  return {
    amount: order.amount,
    customer: { ...contact, document: { type: "cpf", number: document } },
    externalRef,
    items: [PRODUCT],
    ip,
    traceable: true,
    metadata: { order: order.id },
  } as const;
}

/** A declined card is a result. Its reason helps a buyer once; told every time, it would help a thief who guesses. */
function outcomeOfCard(transaction: CardTransaction, isFirst: boolean): Outcome {
  const { status } = transaction;
  if (status === "pending") return { status: "processing" }; // it waits for the service, not for the buyer
  if (status !== "refused" || !isFirst) return { status };
  return { status, refusedReason: transaction.refusedReason };
}

function outcomeOfPix({
  status,
  pix: { qrcodeText: code, qrcode, expirationDate },
}: PixTransaction): Outcome {
  const picture = qrcode === undefined ? {} : { picture: qrcode };
  const expiresAt = expirationDate === undefined ? {} : { expiresAt: expirationDate };
  return { status, pix: { code, ...picture, ...expiresAt } };
}

/**
 * Makes one attempt. The `outcome` of an error decides whether another one may begin.
 *
 * @returns why no one was charged; `undefined` if the buyer was charged, or may have been.
 */
async function payOnce(
  shop: Shop,
  attempt: Attempt,
  create: () => Promise<{ readonly id: number; readonly outcome: Outcome }>,
): Promise<PaymentRefusal | undefined> {
  const { order, externalRef, method } = attempt;
  try {
    const { id, outcome } = await create();
    attempt.transactionId = id;
    settle(shop, attempt, outcome);
    return undefined;
  } catch (error) {
    if (!isPaymentsError(error)) {
      order.holdUntilPostback(attempt);
      throw error;
    }
    shop.log(`${externalRef}: ${error.code}, outcome ${error.outcome}`);
    // Nobody can pay a pix whose code nobody saw: the next try replaces it. If it is paid all the same, its postback counts.
    const isUncharged = error.outcome === "not_sent" || error.outcome === "rejected" || method === "pix";
    if (isUncharged) order.release(attempt);
    else order.holdUntilPostback(attempt);
    return isUncharged ? refusalOf(error) : undefined;
  }
}

/** Takes note of a status, and logs it. */
export function settle({ log }: Shop, attempt: Attempt, outcome: Outcome): void {
  const { order, externalRef } = attempt;
  order.settle(attempt, outcome);
  log(`${externalRef}: ${outcome.status}`);
  if (order.isPaidTwice) log(`PAID TWICE: ${order.id}. Refund one of the payments.`);
}

/** The buyer's inputs, by the names that the service has for them. */
const INPUTS: Readonly<Record<string, keyof Buyer>> = {
  "customer.name": "name",
  "customer.email": "email",
  "customer.phone": "phone",
  "customer.document.number": "document",
};

function refusalOf(error: PaymentsError): PaymentRefusal {
  const issues = "issues" in error && Array.isArray(error.issues) ? error.issues : [];
  const fields = issues.flatMap(({ field }) => INPUTS[String(field)] ?? []);
  return fields.length > 0 ? { code: "invalid_buyer", fields } : { code: "unavailable" };
}
