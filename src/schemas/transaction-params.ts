import type { DocumentType } from "../spec/values.ts";

/** A card token that has not become text yet: a `CardToken` is one. */
export interface CardTokenLike {
  /** The token itself. */
  readonly value: string;
  /** When its five minutes end. */
  readonly expiresAt: Date;
}

/** The buyer's CPF or CNPJ. Spec: "POST /api/v1/transactions", `customer.document`. */
export interface CustomerDocument {
  type: DocumentType;
  /**
   * 11 places for a `cpf`, 14 for a `cnpj`. Punctuation is taken out. A CNPJ may have letters (valid since
   * July 2026); the specification says digits only, so that gives a `warning` event.
   */
  number: string;
}

/** The buyer. Spec: "POST /api/v1/transactions", `customer`. */
export interface CustomerParams {
  /** Full name. */
  name: string;
  email: string;
  phone: string;
  document: CustomerDocument;
}

/** One line of the order. Spec: "Order item". */
export interface OrderItem {
  title: string;
  /** Cents, zero or more. */
  unitPrice: number;
  /** Units, one or more. */
  quantity: number;
  /** Whether it is a physical good. */
  tangible: boolean;
  /** URL of a picture; may be empty. */
  product_image?: string | undefined;
}

/** Additional data: an object becomes the JSON string that the service wants. At most 64 kB of JSON. */
export type Metadata = string | object;

/**
 * A pix payment. What the specification's pix guide calls optional is optional here.
 *
 * Spec: "POST /api/v1/transactions".
 */
export interface CreatePixParams {
  paymentMethod?: "pix" | undefined;
  /** Cents, one or more. */
  amount: number;
  customer: Omit<CustomerParams, "phone"> & { phone?: string | undefined };
  /** The merchant's own reference; comes back as `externalId` and in every postback. */
  externalRef?: string | undefined;
  /** Where status changes are posted to. Default: the client's `postbackUrl`. */
  postbackUrl?: string | undefined;
  traceable?: boolean | undefined;
  items?: readonly OrderItem[] | undefined;
  /** The buyer's IP address. */
  ip?: string | undefined;
  metadata?: Metadata | undefined;
  pix?:
    | {
        /** Whole days until the code expires; the service's default is 1 and its maximum 30. */
        expiresInDays?: number | undefined;
      }
    | undefined;
}

/**
 * A card payment. All fields are required, as the endpoint's description says.
 *
 * Spec: "POST /api/v1/transactions", rule 1.
 */
export interface CreateCardParams {
  paymentMethod?: "credit_card" | undefined;
  /** Cents, one or more. */
  amount: number;
  customer: CustomerParams;
  /** The merchant's own reference; comes back as `externalId` and in every postback. */
  externalRef: string;
  /** Where status changes are posted to. Required here or as the client's `postbackUrl`. */
  postbackUrl?: string | undefined;
  traceable: boolean;
  items: readonly OrderItem[];
  /** The buyer's IP address. */
  ip: string;
  metadata: Metadata;
  /** Number of installments, one or more. Sent as a string; the allowed range is not shown. */
  installments: number | string;
  card: {
    /** The card token, as a `CardToken` or as the text that it became on its way. Valid for 5 minutes. */
    hash: string | CardTokenLike;
  };
}

/** Any payment; `paymentMethod` selects. */
export type CreateTransactionParams =
  | (CreatePixParams & { paymentMethod: "pix" })
  | (CreateCardParams & { paymentMethod: "credit_card" });
