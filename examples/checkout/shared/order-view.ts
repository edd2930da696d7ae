/** What the shop's server and its page send each other. */

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** CPF, with punctuation or without. */
  readonly document: string;
}

export interface PixPayment {
  readonly buyer: Buyer;
  /** Of the order that the buyer saw: a repeated or late request is about an order that has changed since. */
  readonly revision: number;
}

export interface CardPayment extends PixPayment {
  readonly installments: number;
  /** All that the server ever gets of the card. */
  readonly token: string;
}

export type OrderState =
  /** Can be paid. Says so if an attempt to pay was refused, or ended without a payment. */
  | { readonly kind: "open"; readonly refusedReason?: string; readonly ended?: "expired" | "cancelled" }
  /** A request to the service is in flight. */
  | { readonly kind: "paying" }
  /** A pix code waits for its payment. */
  | { readonly kind: "pix"; readonly code: string; readonly picture?: string; readonly expiresAt?: string }
  /** The card is in analysis. */
  | { readonly kind: "processing" }
  /** It is unknown whether the buyer was charged: nothing can be paid until a postback reports it. */
  | { readonly kind: "checking" }
  | { readonly kind: "paid" }
  | { readonly kind: "refunded" }
  | { readonly kind: "chargedback" };

export interface OrderView {
  readonly id: string;
  /** Grows with every change: an older view may arrive after a newer one. */
  readonly revision: number;
  readonly state: OrderState;
}

/** Why a payment was not made. It charged nobody. */
export interface PaymentRefusal {
  readonly code: "invalid_buyer" | "busy" | "too_many_attempts" | "unavailable";
  /** Fields of {@link Buyer} that the service did not accept. */
  readonly fields?: readonly string[];
}

/** The response to a payment that was not made. */
export interface RefusedPayment {
  readonly refusal: PaymentRefusal;
  readonly order: OrderView;
}
