/** What the shop's server and its page send each other. */

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** CPF, with punctuation or without. */
  readonly document: string;
}

export interface PixPayment {
  /** Missing if the order has one: that of an earlier attempt. */
  readonly buyer?: Buyer | undefined;
  /** Of the order that the buyer saw: a repeated or late request is about an order that has changed since. */
  readonly revision: number;
}

export interface CardPayment extends PixPayment {
  readonly buyer: Buyer;
  readonly installments: number;
  /** All that the server ever gets of the card. */
  readonly token: string;
}

/** How an order was paid, or may have been. */
export interface Payment {
  readonly method: "card" | "pix";
  readonly installments?: number;
  /** When the attempt began; once there is money, when that came or was returned. ISO 8601. */
  readonly at: string;
}

/** A pix that waits for its payment. */
export interface PixCode {
  readonly code: string;
  readonly picture?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

export type OrderState =
  /** Can be paid. Says so if an attempt to pay was refused, or ended without a payment. */
  | { readonly kind: "open"; readonly refusedReason?: string; readonly ended?: "expired" | "cancelled" }
  /** A request to the service is in flight. */
  | { readonly kind: "paying" }
  | ({ readonly kind: "pix" } & PixCode)
  /** The card is in analysis. */
  | { readonly kind: "processing"; readonly payment: Payment }
  /** The card waits for the buyer, on the service's own page. A pix can replace it. */
  | { readonly kind: "confirming"; readonly payment: Payment; readonly url: string }
  /** It is unknown whether the buyer was charged: no card can be used until a postback reports it, only a pix. */
  | { readonly kind: "checking"; readonly payment: Payment }
  /** `isTwice`: two attempts brought money, and one is going to be refunded. */
  | { readonly kind: "paid"; readonly payment: Payment; readonly isTwice: boolean }
  | { readonly kind: "refunded" | "chargedback"; readonly payment: Payment };

export interface OrderView {
  readonly id: string;
  /** Short, for people. It gives no access to the order. */
  readonly number: string;
  /** In cents. */
  readonly amount: number;
  /** Grows with every change: an older view may arrive after a newer one. */
  readonly revision: number;
  readonly state: OrderState;
  /** Where the shop writes to. Most of it is hidden: whoever has the address of the page sees it. */
  readonly email?: string;
  /** Whether a card may still be charged: of this attempt or of an earlier one. */
  readonly isCardUndecided: boolean;
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
