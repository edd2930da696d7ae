import type { TransactionStatus } from "../spec/transaction-status.ts";

/** The buyer, as returned by the service. Spec: "Transaction (`data`)", `customer`. */
export interface TransactionCustomer {
  /** Full name. */
  name?: string;
  /** E-mail address. */
  email?: string;
  /** Telephone number. */
  phone?: string;
  /** CPF or CNPJ of the buyer. */
  document: {
    /** `cpf` or `cnpj`. */
    type?: string;
    /** Document number. */
    number?: string;
  };
  /** The merchant's reference; one example of the specification shows it here too. */
  externalRef?: string;
}

/** The fields of every transaction. Spec: "Transaction (`data`)". */
interface TransactionFields {
  /** Id of the transaction. A response must contain only this field, and for a pix that can be paid its code. */
  id: number;
  /**
   * State of the payment. Only `approved` means paid: `if (payment.status === "approved") ship(payment)`.
   * `unrecognized` means a status that is not in the specification; `rawStatus` has the original.
   */
  status: TransactionStatus;
  /** The status exactly as the service sent it; missing if it sent none. */
  rawStatus?: string;
  /** Total in cents; the amount of the request if the service sent none. */
  amount: number;
  /** The merchant's reference that was sent as `externalRef`. */
  externalId?: string;
  /** Id of the company that owns the transaction. */
  companyId?: number;
  /** Number of installments. */
  installments?: number;
  /** Why the payment was refused, as readable text. The specification shows it on refused card transactions only. */
  refusedReason?: string;
  /** Cents; equals `amount` if the card was declined. */
  refusedAmount?: number;
  /** Cents; 0 at creation. */
  paidAmount?: number;
  /** Cents; 0 at creation. */
  refundedAmount?: number;
  /** The `metadata` of the request, as a JSON string. One example of a response has it; others do not. */
  metadata?: string;
  /** Kind of payment processor. The specification does not show its values. */
  acquirerType?: string;
  /** Id of the hosted checkout page. */
  secureId?: string;
  /** URL of the hosted checkout page of this transaction. */
  secureUrl?: string;
  /** The buyer, as sent in the request. */
  customer: TransactionCustomer;
  /** As sent in the request. */
  traceable?: boolean;
  /** Fee in cents. */
  fees?: number;
  /**
   * The postback URL of the request. A signed URL is a credential: do not log it or send it to a browser. `console.log`
   * and `util.inspect` do not show it, but `JSON.stringify` includes it.
   */
  postBackUrl?: string;
  /** ISO 8601 time in UTC, as the service sent it. */
  createdAt?: string;
  /** The body as the service sent it. Not enumerable, so JSON and spread copies do not contain it. */
  readonly raw: unknown;
}

/** The code that the buyer pays with. Spec: "`data.pix`". */
export interface PixCode {
  /**
   * The copy-and-paste code ("copia e cola"). Empty only if no one can pay the pix any longer: for a replayed pix whose
   * original response was lost, and for a pix that was created as `refused`, `expired` or `cancelled` with a picture alone.
   */
  qrcodeText: string;
  /**
   * The QR code as a PNG data URI, for the `src` of an `<img>`. If the service sent something else, such as a JPEG or a
   * URL, that is returned, and a `drift` event reports it. Missing in a replayed result: stores keep only the code, from which
   * `<payment-pix>` draws it.
   */
  qrcode?: string;
  /** When the code expires: ISO 8601 time in UTC. */
  expirationDate?: string;
}

/**
 * A pix payment. Show the code to the buyer, then wait for the postback with the status `approved`:
 *
 * ```ts
 * const payment = await payments.transactions.createPix(order);
 * show(payment.pix.qrcode, payment.pix.qrcodeText, payment.pix.expirationDate);
 * ```
 */
export interface PixTransaction extends TransactionFields {
  /** Always `pix`. */
  paymentMethod: "pix";
  /** The code that the buyer pays with. */
  pix: PixCode;
}

/** A card payment that was declined, with the service's reason as readable text. */
export interface RefusedCardTransaction extends TransactionFields {
  /** Always `credit_card`. */
  paymentMethod: "credit_card";
  /** `refused`: the card was declined, and `refusedReason` explains why, for a log. */
  status: "refused";
  /** Why the card was declined, as readable text; `unspecified` if the service sent no reason. */
  refusedReason: string;
}

/** A card payment that was not declined. It is paid only if its `status` is `approved`. */
export interface UnrefusedCardTransaction extends TransactionFields {
  /** Always `credit_card`. */
  paymentMethod: "credit_card";
  status: Exclude<TransactionStatus, "refused">;
}

/**
 * A card payment. A declined card is a result, not an error, so check `status`:
 *
 * ```ts
 * const payment = await payments.transactions.createCard(order);
 * if (payment.status === "approved") ship(payment);
 * else if (payment.status === "refused") askForAnotherCard();
 * ```
 */
export type CardTransaction = RefusedCardTransaction | UnrefusedCardTransaction;

/** A created payment. `paymentMethod` distinguishes a pix from a card payment. */
export type Transaction = PixTransaction | CardTransaction;
