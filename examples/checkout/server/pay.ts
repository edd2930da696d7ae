import {
  type CardTransaction,
  type CreatePixParams,
  isPaymentsError,
  type PaymentsError,
  type PixTransaction,
} from "payments-sdk";
import { installmentsOf } from "../shared/installments.ts";
import type { Buyer, CardPayment, PaymentRefusal, PixPayment } from "../shared/order-view.ts";
import type { Attempt, Order, Outcome } from "./orders.ts";
import type { Shop } from "./start-shop.ts";

/** Maximum of refused cards per order. `Shop.refusals` limits them per address. */
const MOST_REFUSALS = 3;

/** Charges a card. The server gets only its token. */
export async function payByCard(
  shop: Shop,
  order: Order,
  { buyer, revision, installments, token }: CardPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  const offer = installmentsOf(order.amount, installments); // the page sends no amount
  const uncount = order.refusals < MOST_REFUSALS && shop.refusals.reserve(ip);
  if (!uncount) return { code: "too_many_attempts" };
  const attempt = offer && order.begin("card", revision, offer);
  if (attempt === undefined) {
    uncount();
    return { code: "busy" };
  }
  order.buyer = buyer;
  const payment = { ...paymentOf(attempt, buyer, ip), installments, card: { hash: token } };
  let isApproved = false;
  const refusal = await payOnce(shop, attempt, async () => {
    const card = await shop.payments.transactions.createCard(payment);
    isApproved = card.status === "approved";
    return outcomeOfCard(card, shop.service);
  });
  if (refusal || isApproved) uncount(); // otherwise the card was refused, or may be
  return refusal;
}

/** Creates a pix. A postback is the only way that the specification shows to learn that it is paid. */
export async function payByPix(
  shop: Shop,
  order: Order,
  { buyer = order.buyer, revision }: PixPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  if (buyer === undefined) return { code: "invalid_buyer" };
  const attempt = order.begin("pix", revision);
  if (attempt === undefined) return { code: "busy" };
  if (order.kind === "pix") return undefined; // the buyer can still pay the code of an earlier attempt
  order.buyer = buyer;
  const payment = { ...paymentOf(attempt, buyer, ip), pix: { expiresInDays: 1 } };
  return payOnce(shop, attempt, async () => {
    const transaction = await shop.payments.transactions.createPix(payment, { replaceLost: true });
    return outcomeOfPix(transaction, await shop.postbackSigner.statusUrl("/status", attempt));
  });
}

function paymentOf({ order, externalRef, installments }: Attempt, buyer: Buyer, ip: string) {
  const { document, ...contact } = buyer;
  const { total, interest } = installments ?? { total: order.amount, interest: 0 };
  const interestItem = { title: "Juros do parcelamento", unitPrice: interest, quantity: 1, tangible: false };
  return {
    amount: total,
    customer: { ...contact, document: { type: "cpf", number: document } },
    externalRef,
    items: interest > 0 ? [order.item, interestItem] : [order.item],
    ip,
    traceable: true,
    metadata: { order: order.id },
  } satisfies CreatePixParams;
}

/** A declined card is a result. Its reason does not reach the page: it would help a thief who tests cards. */
function outcomeOfCard(transaction: CardTransaction, service: URL): Outcome {
  const { id: transactionId, status } = transaction;
  if (status !== "pending") return { transactionId, status };
  const confirmUrl = confirmUrlOf(transaction, service);
  return confirmUrl ? { transactionId, status, confirmUrl } : { transactionId, status: "processing" };
}

/** `secureUrl`, if it is safe as a link: https, or on the host of the service itself, which is http for a sandbox. */
export function confirmUrlOf({ secureUrl = "" }: { secureUrl?: string }, service: URL): string | undefined {
  const url = URL.canParse(secureUrl) ? new URL(secureUrl) : undefined;
  const isOfService = url?.protocol === service.protocol && url.host === service.host;
  const isSafe = url?.protocol === "https:" || isOfService;
  return isSafe && url.username === "" && url.password === "" ? url.href : undefined;
}

function outcomeOfPix(
  { id: transactionId, status, pix: { qrcodeText: code, qrcode, expirationDate } }: PixTransaction,
  statusUrl: string,
): Outcome {
  const picture = qrcode === undefined ? {} : { picture: qrcode };
  const expiresAt = expirationDate === undefined ? {} : { expiresAt: expirationDate };
  return { transactionId, status, pix: { code, statusUrl, ...picture, ...expiresAt } };
}

/**
 * Makes one attempt. If it fails, `mayHaveCharged` decides whether another one may begin.
 *
 * @returns why no one was charged; `undefined` if the buyer was charged, or may have been.
 */
async function payOnce(
  shop: Shop,
  attempt: Attempt,
  create: () => Promise<Outcome>,
): Promise<PaymentRefusal | undefined> {
  const { order, externalRef, method } = attempt;
  try {
    const outcome = await create();
    attempt.transactionId = outcome.transactionId;
    settle(shop, attempt, outcome);
    await tryToShip(shop, order);
    return undefined;
  } catch (error) {
    if (!isPaymentsError(error)) {
      hold(shop, attempt);
      throw error;
    }
    shop.log(`${externalRef}: ${error.code}, outcome ${error.outcome}`);
    // No one has seen the code of a failed pix: the next attempt replaces it. If it is paid, its postback counts.
    const isFree = !error.mayHaveCharged || method === "pix";
    if (isFree) order.release(attempt, error.mayHaveCharged ? "lost" : undefined);
    else hold(shop, attempt);
    return isFree ? refusalOf(error) : undefined;
  }
}

function hold(shop: Shop, attempt: Attempt): void {
  attempt.order.holdUntilPostback(attempt);
  shop.log(
    `${attempt.externalRef}: check it with the service, and write to the buyer of ${attempt.order.number}`,
  );
  reportSecondPayment(shop, attempt.order);
}

/** Applies a status to the order, and logs it. */
export function settle(shop: Shop, attempt: Attempt, outcome: Outcome): void {
  const { order, externalRef } = attempt;
  order.settle(attempt, outcome);
  shop.log(`${externalRef}: ${outcome.status}`);
  reportSecondPayment(shop, order);
}

/** Ships a paid order once, whichever attempt paid, and whether a response or a postback reported it. Rejects if `ship` fails. */
export async function shipOnce({ ship }: Shop, order: Order): Promise<void> {
  if (order.kind !== "paid" || order.isShipped) return;
  order.isShipped = true; // before it ends: a postback may arrive meanwhile
  try {
    await ship(order);
  } catch (error) {
    order.isShipped = false;
    throw error;
  }
}

/** Without a postback, nothing else tries again: a card that was approved at once may have none. */
export async function tryToShip(shop: Shop, order: Order): Promise<void> {
  await shipOnce(shop, order).catch((error: unknown) => shop.log(`NOT SHIPPED: ${order.number}. ${error}`));
}

/** If the response of a card was lost, its postback may never arrive, because its status does not change. */
function reportSecondPayment({ log }: Shop, order: Order): void {
  if (order.isPaidTwice) log(`PAID TWICE: ${order.id}. Have one of the payments refunded.`);
  const card = order.undecidedCard;
  if (order.kind !== "paid" || card === undefined) return;
  log(
    `MAYBE PAID TWICE: ${order.id} is paid. Check its card ${card.externalRef} with the service, and have it refunded if it was charged.`,
  );
}

/** The buyer's inputs, by the field names of the service. */
const INPUTS: Readonly<Record<string, keyof Buyer>> = {
  "customer.name": "name",
  "customer.email": "email",
  "customer.phone": "phone",
  "customer.document.number": "document",
};

function refusalOf(error: PaymentsError): PaymentRefusal {
  if (error.mayHaveCharged) return { code: "no_pix" }; // the page must not say that nothing was charged
  const issues = "issues" in error && Array.isArray(error.issues) ? error.issues : [];
  const fields = issues.flatMap(({ field }) => INPUTS[String(field)] ?? []);
  return fields.length > 0 ? { code: "invalid_buyer", fields } : { code: "unavailable" };
}
