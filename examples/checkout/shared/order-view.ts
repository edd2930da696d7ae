import type { InstallmentOption } from "payments-sdk";

/** The data that the shop's server and its page exchange. */

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** CPF, with punctuation or without. */
  readonly document: string;
}

export interface PixPayment {
  /** Missing if the order has a buyer from an earlier attempt. */
  readonly buyer?: Buyer | undefined;
  /** Revision of the order that the buyer saw. A repeated or late request has an outdated one. */
  readonly revision: number;
}

export interface CardPayment extends PixPayment {
  readonly buyer: Buyer;
  readonly installments: number;
  /** The only thing that the server gets of the card. */
  readonly token: string;
}

/** How an order was paid, or may have been. */
export interface Payment {
  readonly method: "card" | "pix";
  /** The offer that the buyer accepted. */
  readonly installments?: InstallmentOption;
  /** When the attempt began, or later when it was paid or refunded. ISO 8601. */
  readonly at: string;
}

/** A pix that waits for its payment. */
export interface PixCode {
  readonly code: string;
  readonly picture?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Where the page asks whether it is paid. */
  readonly statusUrl: string;
}

/** How an attempt ended without a payment. */
export interface FailedAttempt {
  readonly method: Payment["method"];
  /** `lost`: a pix may exist, whose code no one has seen. */
  readonly status: "refused" | "expired" | "cancelled" | "lost";
}

export type OrderState =
  /** Can be paid. `ended`: the last attempt. */
  | { readonly kind: "open"; readonly ended?: FailedAttempt }
  /** A request to the service is in flight. */
  | { readonly kind: "paying" }
  | ({ readonly kind: "pix" } & PixCode)
  /** The card is being processed. */
  | { readonly kind: "processing"; readonly payment: Payment }
  /** The card waits for the buyer, on the service's own page. A pix can replace it. */
  | { readonly kind: "confirming"; readonly payment: Payment; readonly url: string }
  /** It is unknown whether the buyer was charged: no card can be used until a postback reports it, only a pix. */
  | { readonly kind: "checking"; readonly payment: Payment }
  /** `isTwice`: two transactions were paid, and one has to be refunded. */
  | { readonly kind: "paid"; readonly payment: Payment; readonly isTwice: boolean }
  | { readonly kind: "refunded" | "chargedback"; readonly payment: Payment };

export interface OrderView {
  readonly id: string;
  /** Short, for people. Does not give access to the order. */
  readonly number: string;
  /** In cents. */
  readonly amount: number;
  /** Increases with every change, because an older view can arrive after a newer one. */
  readonly revision: number;
  readonly state: OrderState;
  /** The buyer's e-mail address, mostly masked: anyone with the URL of the page can see it. */
  readonly email?: string;
  /** Whether a card of this attempt or an earlier one may still be charged. */
  readonly isCardUndecided: boolean;
}

/** Why a payment was not made. No one was charged; only after `no_pix`, a pix may exist, whose code no one has seen. */
export interface PaymentRefusal {
  readonly code: "invalid_buyer" | "busy" | "too_many_attempts" | "unavailable" | "no_pix";
  /** Fields of {@link Buyer} that the service rejected. */
  readonly fields?: readonly string[];
}

/** The response to a payment that was not made. */
export interface RefusedPayment {
  readonly refusal: PaymentRefusal;
  readonly order: OrderView;
}
