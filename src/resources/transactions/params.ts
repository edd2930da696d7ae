import type { DocumentType } from "../../spec/values.ts";

/** A card token that has not become text yet: a `CardToken` is one. */
export interface CardTokenLike {
  /** The token itself. */
  readonly value: string;
  /** When its five minutes end. */
  readonly expiresAt: Date;
}

/** The buyer's CPF or CNPJ. Spec: "POST /api/v1/transactions", `customer.document`. */
export interface CustomerDocument {
  /** `cpf` of a person, `cnpj` of a company. */
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
  /** E-mail address. */
  email: string;
  /** Telephone number; length and format are not shown. */
  phone: string;
  /** The buyer's CPF or CNPJ. */
  document: CustomerDocument;
}

/** One line of the order. Spec: "Order item". */
export interface OrderItem {
  /** Name of the item. */
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
  /** Selects the method where `create` is called; `createPix` needs none. */
  paymentMethod?: "pix" | undefined;
  /** Cents, one or more. */
  amount: number;
  /** The buyer; the telephone number is optional on a pix. */
  customer: Omit<CustomerParams, "phone"> & {
    /** Telephone number; length and format are not shown. */
    phone?: string | undefined;
  };
  /** The merchant's own reference; comes back as `externalId` and in every postback. */
  externalRef?: string | undefined;
  /** Where status changes are posted to. Default: the client's `postbackUrl`. */
  postbackUrl?: string | undefined;
  /** Sent as it is; its meaning is not shown. */
  traceable?: boolean | undefined;
  /** What is bought. Where the items do not add up to `amount`, a `warning` event says so. */
  items?: readonly OrderItem[] | undefined;
  /** The buyer's IP address. */
  ip?: string | undefined;
  /** Additional data of the merchant; comes back as JSON. */
  metadata?: Metadata | undefined;
  /** Options of the pix code. */
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
  /** Selects the method where `create` is called; `createCard` needs none. */
  paymentMethod?: "credit_card" | undefined;
  /** Cents, one or more. */
  amount: number;
  /** The buyer. */
  customer: CustomerParams;
  /** The merchant's own reference; comes back as `externalId` and in every postback. */
  externalRef: string;
  /** Where status changes are posted to. Required here or as the client's `postbackUrl`. */
  postbackUrl?: string | undefined;
  /** Sent as it is; its meaning is not shown. */
  traceable: boolean;
  /** What is bought. Where the items do not add up to `amount`, a `warning` event says so. */
  items: readonly OrderItem[];
  /** The buyer's IP address. */
  ip: string;
  /** Additional data of the merchant; comes back as JSON. */
  metadata: Metadata;
  /** Number of installments, one or more. Sent as a string; the allowed range is not shown. */
  installments: number | string;
  /** The card, as a token. */
  card: {
    /** The card token, as a `CardToken` or as the text that it became on its way. Valid for 5 minutes. */
    hash: string | CardTokenLike;
  };
}

/** Any payment; `paymentMethod` selects. */
export type CreateTransactionParams =
  | (CreatePixParams & {
      /** Selects a pix. */
      paymentMethod: "pix";
    })
  | (CreateCardParams & {
      /** Selects a card payment. */
      paymentMethod: "credit_card";
    });
