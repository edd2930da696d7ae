import type { PaymentMethod } from "../spec/values.ts";

/** The order that a postback URL is signed for. */
export interface OrderToSign {
  /** The merchant's reference; postbacks carry it. */
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** Decides how long the URL is good for by default: 180 days for `pix`, else two years. */
  readonly paymentMethod?: PaymentMethod | undefined;
  /** When the URL ends to be good. */
  readonly expiresAt?: Date | undefined;
}

/** What is verified of a postback. */
export interface PostbackToVerify {
  /** Cents. */
  readonly amount: number;
  /** The merchant's reference; without one nothing is proven. */
  readonly externalRef?: string | undefined;
}

/** What signs the postback URLs of a client. */
export interface SignsPostbackUrls {
  /** The URL, with what proves the order. */
  sign(url: string, order: OrderToSign): Promise<string>;
}

/** A key that signs postback URLs. */
export interface PostbackSigningKey {
  /** Name of the key. It stands in the URL, so keep it short. */
  readonly kid: string;
  /** At least 32 bytes that nobody can guess, such as `openssl rand -base64 32` prints. */
  readonly secret: string | Uint8Array;
}
