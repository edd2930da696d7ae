/** What the shop's server tells its page of an order, and the page its server of a buyer. */

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** CPF, with punctuation or without. */
  readonly document: string;
}

export interface CardPayment extends PixPayment {
  readonly installments: number;
  /** All that the server ever sees of the card. */
  readonly token: string;
}

export interface PixPayment {
  readonly buyer: Buyer;
  /** Of the order that the buyer saw: a click that comes late, or a second time, is about an order that is no more. */
  readonly revision: number;
}

/** Where an order stands. */
export type OrderState =
  /** It can be paid. It says so where an attempt to pay it was refused, or ended without a payment. */
  | { readonly kind: "open"; readonly refusedReason?: string; readonly ended?: "expired" | "cancelled" }
  /** A payment is on its way to the service. */
  | { readonly kind: "paying" }
  /** A pix waits for the buyer; times in milliseconds from now, so that the page's clock may be wrong. */
  | { readonly kind: "pix"; readonly code: string; readonly picture?: string; readonly expiresInMs?: number }
  /** The card is being looked at. */
  | { readonly kind: "processing" }
  /** Whether the buyer was charged is not known: nothing may be paid until it is. */
  | { readonly kind: "checking" }
  | { readonly kind: "paid"; readonly method: "card" | "pix" }
  | { readonly kind: "refunded" }
  | { readonly kind: "chargedback" };

export interface OrderView {
  readonly id: string;
  /** Grows with every change: an answer may arrive after newer news. */
  readonly revision: number;
  /** Cents. */
  readonly amount: number;
  readonly state: OrderState;
}

/** Why a payment was not made. Nobody was charged by it. */
export interface PaymentRefusal {
  readonly code: "card_token_expired" | "invalid_buyer" | "busy" | "too_many_attempts" | "unavailable";
  /** Fields of {@link Buyer} that the service did not take. */
  readonly fields?: readonly (keyof Buyer)[];
}

/** The answer to a payment that was not made. */
export interface RefusedPayment {
  readonly refusal: PaymentRefusal;
  /** As it is now, so that later news of the same take nothing away from what the buyer is told. */
  readonly order: OrderView;
}
