import * as z from "zod/mini";
import { Integer } from "../../data/integer.ts";
import type { TransactionStatus } from "../../spec/values.ts";

/** The buyer as the service echoes it. Spec: "Transaction (`data`)", `customer`. */
export interface TransactionCustomer {
  /** Full name. */
  name?: string;
  /** E-mail address. */
  email?: string;
  /** Telephone number. */
  phone?: string;
  /** Tax document of the buyer. */
  document: {
    /** `cpf` or `cnpj`. */
    type?: string;
    /** Document number. */
    number?: string;
  };
  /** The merchant's reference, which one example of the specification has here, too. */
  externalRef?: string;
}

/** What every transaction has. Spec: "Transaction (`data`)". */
interface TransactionFields {
  /** Transaction identifier; the one field that the service must send. */
  id: number;
  /**
   * Where the payment stands. `approved` is the only one that means paid; `unrecognized` is a status
   * that the specification does not name, see {@link TransactionFields.rawStatus}.
   */
  status: TransactionStatus;
  /** The status exactly as the service wrote it; missing where it sent none. */
  rawStatus?: string;
  /** Total in cents; the request's own where the service sent none. */
  amount: number;
  /** The merchant's reference: what was sent as `externalRef`. */
  externalId?: string;
  /** Owning company. */
  companyId?: number;
  /** Number of installments. */
  installments?: number;
  /** Cents; equals `amount` on a refused card transaction. */
  refusedAmount?: number;
  /** Cents; 0 at creation. */
  paidAmount?: number;
  /** Cents; 0 at creation. */
  refundedAmount?: number;
  /** Echo of the request, a JSON string. */
  metadata?: string;
  /** Kind of processor; its values are not shown. */
  acquirerType?: string;
  /** Identifier of the hosted checkout. */
  secureId?: string;
  /** URL of the hosted checkout of this transaction. */
  secureUrl?: string;
  /** The buyer, as the service echoes the request. */
  customer: TransactionCustomer;
  /** Echo of the request. */
  traceable?: boolean;
  /** Fee in cents. */
  fees?: number;
  /**
   * Echo of the postback URL. With a signed URL it is a credential: do not send it to a browser and do
   * not log it. `util.inspect` and `console.log` show a transaction without it, `JSON.stringify` does not.
   */
  postBackUrl?: string;
  /** ISO 8601 UTC, as it came. */
  createdAt?: string;
  /**
   * The body as the service sent it. Not enumerable, so that it is not in JSON, nor in a copy made by
   * spreading.
   */
  readonly raw: unknown;
}

/** Spec: "`data.pix`". */
export interface PixCode {
  /**
   * The copy-and-paste code. Empty only on a replayed pix whose answer was lost, and that has no use for it any more.
   */
  qrcodeText: string;
  /** The QR picture as a PNG data URI, good as the source of an image. */
  qrcode?: string;
  /** ISO 8601 UTC time of expiry. */
  expirationDate?: string;
}

/** A pix: show `pix.qrcodeText` and `pix.qrcode` to the buyer, then wait for the postback. */
export interface PixTransaction extends TransactionFields {
  /** Tells it from a card payment. */
  paymentMethod: "pix";
  /** What the buyer pays with. */
  pix: PixCode;
}

/** A card transaction that was declined, with the service's reason for a human. */
export interface RefusedCardTransaction extends TransactionFields {
  /** Tells it from a pix. */
  paymentMethod: "credit_card";
  /** The card was declined. */
  status: "refused";
  /** The service's text; `unspecified` where it gave none. */
  refusedReason: string;
}

/** A card transaction that was not declined; look whether it is `approved`. */
export interface UnrefusedCardTransaction extends TransactionFields {
  /** Tells it from a pix. */
  paymentMethod: "credit_card";
  /** Where the payment stands. `approved` is the only one that means paid. */
  status: Exclude<TransactionStatus, "refused">;
  /** Shown by the specification on refused transactions only. */
  refusedReason?: string;
}

/**
 * A card payment. A declined card answers 201 like an approved one, so look at `status`: `refused`
 * narrows to {@link RefusedCardTransaction} and its reason.
 */
export type CardTransaction = RefusedCardTransaction | UnrefusedCardTransaction;

/** A created payment; `paymentMethod` tells which. */
export type Transaction = PixTransaction | CardTransaction;

const text = z.string();

/** @internal `data` as the specification shows it; `refusedReason` is read apart, because it was seen as an object. */
export const transactionShape = {
  companyId: Integer,
  installments: z.optional(Integer),
  refusedAmount: Integer,
  paidAmount: Integer,
  refundedAmount: Integer,
  metadata: z.optional(text),
  acquirerType: text,
  secureId: text,
  secureUrl: text,
  externalId: z.optional(text),
  traceable: z.optional(z.boolean()),
  fees: Integer,
  postBackUrl: z.optional(text),
  createdAt: text,
};

/** @internal */
export const customerShape = {
  name: text,
  email: text,
  phone: z.optional(text),
  externalRef: z.optional(text),
};

/** @internal */
export const customerDocumentShape = { type: text, number: text };

/** @internal */
export const pixShape = { qrcode: text, qrcodeText: text, expirationDate: text };
