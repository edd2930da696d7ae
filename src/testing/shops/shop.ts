import type { CardParams } from "../../browser.ts";

/**
 * What the page of an order shows.
 *
 * - `code`: a pix code that the customer can pay.
 * - `paid`: the order is paid.
 * - `declined`: the payment was declined, and the customer can pay another way.
 * - `waiting`: the payment is being checked, or the goods are on their way. The customer should not pay again.
 * - `error`: nothing was charged, and the customer can try again.
 */
export type ShopView = "code" | "paid" | "declined" | "waiting" | "error";

/** What a customer orders. */
export interface ShopOrder {
  /** Lower-case letters, digits and dashes. No id is the beginning of another one, or used twice. */
  readonly id: string;
  /** Cents, what the customer pays. No two orders of the tests have the same amount: it identifies their charges. */
  readonly amount: number;
  /** How the customer pays. A customer can change it, and press "pay" again for the same order. */
  readonly method: "pix" | "credit_card";
  /** The card that the customer types, for a shop that clicks through a page. Missing for a pix. */
  readonly card?: CardParams;
  /** Converts the card to a token, for a shop that calls a function. Missing for a pix. */
  readonly cardToken?: () => Promise<string>;
}

/** The service that a shop under test connects to: a sandbox, over HTTP. */
export interface ShopService {
  /** URL of the service. */
  readonly baseUrl: string;
  /** For Basic authentication. */
  readonly secretKey: string;
  /** For Basic authentication and for card tokens. */
  readonly publicKey: string;
}

/** A running shop, as the tests drive it: by its functions, over HTTP, or in a browser. */
export interface Shop {
  /**
   * The customer presses "pay". Resolves with what the customer then sees; never rejects. If the connection to the shop
   * breaks, that is `waiting`: the browser's error page says nothing about the payment.
   */
  pay(order: ShopOrder): Promise<ShopView>;
  /** What the page of the order shows when it is loaded again. */
  view(id: string): Promise<ShopView>;
  /** How often the goods of the order were released: a whole number, 0 for an unknown order. */
  shipped(id: string): number | Promise<number>;
  /** Kills the shop's process, and starts it again on the same data. Without it, its rules are skipped. */
  restart?(): Promise<void>;
  /** Makes the shop's own work fail the next time that a payment is confirmed. Without it, its rules are skipped. */
  failOnce?(): void | Promise<void>;
  /** Ends the shop, after each test. */
  stop(): Promise<void>;
}
