import type { PaymentMethod } from "../spec/values.ts";

/** The order that a postback URL is signed for. */
export interface OrderToSign {
  /** The merchant's reference; postbacks contain it. */
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** Decides the default expiry: 180 days for `pix`, otherwise two years. */
  readonly paymentMethod?: PaymentMethod | undefined;
  /** When the signature expires. */
  readonly expiresAt?: Date | undefined;
}

/** The order whose status a page may ask for. */
export interface OrderToWatch {
  /** The merchant's reference. The page can read it. */
  readonly externalRef: string;
  /** When the URL expires. Default: in 31 days. */
  readonly expiresAt?: Date | undefined;
}

/** The fields of a postback that are verified. */
export interface PostbackToVerify {
  /** Cents. */
  readonly amount: number;
  /** The merchant's reference; without it, verification fails. */
  readonly externalRef?: string | undefined;
}

/** Signs the postback URLs of a client. */
export interface SignsPostbackUrls {
  /** Resolves with the URL and its signature. */
  sign(url: string, order: OrderToSign): Promise<string>;
}

/** A key that signs postback URLs. */
export interface PostbackSigningKey {
  /** Name of the key. It is a part of the URL, so keep it short. */
  readonly kid: string;
  /** At least 32 bytes that cannot be guessed, such as the output of `openssl rand -base64 32`. */
  readonly secret: string | Uint8Array;
}
