import type { OrderRecord } from "payments-sdk/idempotency";
import { getShop } from "./payments";

/** What the page of an order shows. */
export interface View {
  amount: number;
  text: string;
  canPayByPix: boolean;
  canPayByCard: boolean;
  pix?: { code: string; qrcode?: string; expiresAt?: string; statusUrl: string };
  /** Whether it will change without the buyer. */
  isChecking: boolean;
}

const CHECKING = "We are checking your payment. Please do not pay again: this page will show the result.";
const CODE = "Pay with this code. This page will show that it is paid.";
const DECLINED = "Your card was declined. Nothing was charged.";
const EXPIRED = "The code has expired. If you have paid it, please do not pay again, and write to us.";
const LOST = "We have no pix code yet. Please ask for it again.";
const NEW = "How would you like to pay?";
const NOT_CHARGED = "Nothing was charged. Please try again.";
const PAID = "Your order is paid. Thank you!";
const RETURNED = "The payment of this order was reversed.";

/** Reads the tables and the store, and changes nothing: they know more than the response to any single call. `undefined` if there is no such order. */
export async function show(id: string, ip: string): Promise<View | undefined> {
  const { orders, store } = getShop();
  const order = orders.find(id);
  if (!order) return undefined;
  const { amount } = order;
  const closed = { amount, canPayByPix: false, canPayByCard: false, isChecking: false };
  const payments = [order.pix, order.card];
  if (payments.includes("paid")) return { ...closed, text: PAID };

  const [pix, card] = await Promise.all([store.get(`${id}-pix`), store.get(`${id}-card`)]);
  if (payments.includes("returned") || isReturned(pix) || isReturned(card))
    return { ...closed, text: RETURNED };
  // A card in progress, unknown or paid; a pix that is being created, or paid, also an earlier one that had expired: `onPaid`
  // has not run yet, or a person has to decide.
  const isCardOpen = card !== undefined && card.state !== "free";
  const isPixPaid =
    pix?.transaction?.status === "approved" ||
    pix?.possibleDuplicates.some(({ status }) => status !== "pending");
  if (isCardOpen || pix?.state === "claimed" || isPixPaid)
    return { ...closed, text: CHECKING, isChecking: true };
  const canPayByCard = !orders.hasTooManyCards(id, ip);
  return offer({ ...closed, text: NEW, canPayByCard, canPayByPix: true }, pix, card);
}

/** How the order can be paid: no card may have been charged, and at most a pix code is waiting. */
async function offer(view: View, pix?: OrderRecord, card?: OrderRecord): Promise<View> {
  const advice = view.canPayByCard ? "Use another card, or pay with pix." : "Please pay with pix.";
  const declined = card?.lastStatus === "refused" ? `${DECLINED} ${advice} ` : "";
  const code = pix?.transaction?.pix;
  if (pix && code) {
    const { qrcodeText, qrcode, expirationDate } = code;
    const shown = { ...view, canPayByPix: false }; // a repeat would return the same code
    // A payment of its last seconds may still be reported.
    if (isPast(expirationDate)) return { ...shown, text: declined + EXPIRED, isChecking: true };
    const statusUrl = await getShop().signer.statusUrl("/status", { externalRef: pix.externalRef });
    const details = { code: qrcodeText, qrcode, expiresAt: expirationDate, statusUrl };
    return { ...shown, text: declined + CODE, pix: details };
  }
  if (pix?.lastStatus === "expired") return { ...view, text: declined + EXPIRED };
  if (pix && pix.state !== "free") return { ...view, text: declined + LOST }; // no one has seen its code
  return { ...view, text: declined || (pix || card ? NOT_CHARGED : view.text) };
}

const isReturned = (record?: OrderRecord) =>
  ["refunded", "chargedback"].includes(record?.transaction?.status ?? "");

/** A time without a zone is UTC. */
const isPast = (time = "") => Date.parse(/T[^Z+-]+$/.test(time) ? `${time}Z` : time) <= Date.now();
