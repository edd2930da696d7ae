import type { DocumentType } from "../spec/values.ts";

/** A card token as an object, such as a `CardToken`. */
export interface CardTokenLike {
  /** The token itself. */
  readonly value: string;
  /** When the token expires. */
  readonly expiresAt: Date;
}

/** The buyer's CPF or CNPJ. Spec: "POST /api/v1/transactions", `customer.document`. */
export interface CustomerDocument {
  /** `cpf` of a person, `cnpj` of a company. */
  type: DocumentType;
  /**
   * 11 characters for a `cpf`, 14 for a `cnpj`. Punctuation is removed. A CNPJ may contain letters (valid since July
   * 2026); the specification allows digits only, so letters cause a `warning` event.
   */
  number: string;
}

/** The buyer. Spec: "POST /api/v1/transactions", `customer`. */
export interface CustomerParams {
  /** Full name. */
  name: string;
  /** E-mail address. */
  email: string;
  /** Telephone number. The specification does not show its format. */
  phone: string;
  /** The buyer's CPF or CNPJ. */
  document: CustomerDocument;
}

/** One item of the order. Spec: "Order item". */
export interface OrderItem {
  /** Name of the item. */
  title: string;
  /** Cents, zero or more. */
  unitPrice: number;
  /** Units, one or more. */
  quantity: number;
  /** Whether the item is a physical good. */
  tangible: boolean;
  /** URL of an image; may be empty. */
  product_image?: string | undefined;
}

/** Additional data. An object or array is sent as a JSON string, as the service requires. At most 64 kB of JSON. */
export type Metadata = string | object;

/**
 * Parameters of a pix payment. Fields that are optional in the pix guide of the specification are optional here. The
 * endpoint's table requires them, so the service may respond with 400 if they are missing: a `warning` event with the
 * field `pix` names them, once per client and set of missing fields.
 *
 * Spec: "POST /api/v1/transactions".
 */
export interface CreatePixParams {
  /** Selects the method in `create`; optional in `createPix`. */
  paymentMethod?: "pix" | undefined;
  /** Integer cents, one or more: 1990 is R$ 19,90. */
  amount: number;
  /** The buyer. The telephone number is optional for a pix. */
  customer: Omit<CustomerParams, "phone"> & {
    /** Telephone number. The specification does not show its format. */
    phone?: string | undefined;
  };
  /** The merchant's reference of the order, returned as `externalId` and in every postback. */
  externalRef?: string | undefined;
  /** Absolute URL that receives status changes. Default: the client's `postbackUrl`. */
  postbackUrl?: string | undefined;
  /** Sent unchanged. The specification does not explain it. */
  traceable?: boolean | undefined;
  /** The items of the order. A `warning` event reports if they do not add up to `amount`. */
  items?: readonly OrderItem[] | undefined;
  /**
   * The buyer's IP address. Behind a proxy, the address that your own proxy adds: a buyer can send the first addresses of
   * `X-Forwarded-For`. A `warning` event reports an address of this server or of a private network, and other text.
   */
  ip?: string | undefined;
  /** Additional data of the merchant. One example of a response repeats it as a JSON string; others do not. */
  metadata?: Metadata | undefined;
  /** Options of the pix code. */
  pix?:
    | {
        /** Whole days until the code expires. Default 1; the service lowers larger values to 30. */
        expiresInDays?: number | undefined;
      }
    | undefined;
}

/**
 * Parameters of a card payment. All fields are required, as in the description of the endpoint; `metadata` and
 * `traceable` may be in the `defaults` of the client.
 *
 * Spec: "POST /api/v1/transactions", rule 1.
 */
export interface CreateCardParams {
  /** Selects the method in `create`; optional in `createCard`. */
  paymentMethod?: "credit_card" | undefined;
  /** Integer cents, one or more: 1990 is R$ 19,90. */
  amount: number;
  /** The buyer. */
  customer: CustomerParams;
  /** The merchant's reference of the order, returned as `externalId` and in every postback. */
  externalRef: string;
  /** Absolute URL that receives status changes. Required, unless the client has a `postbackUrl`. */
  postbackUrl?: string | undefined;
  /** Sent unchanged. The specification does not explain it. */
  traceable: boolean;
  /** The items of the order. A `warning` event reports if they do not add up to `amount`. */
  items: readonly OrderItem[];
  /** The buyer's IP address. Behind a proxy, the address that your own proxy adds: see {@link CreatePixParams.ip}. */
  ip: string;
  /** Additional data of the merchant. One example of a response repeats it as a JSON string; others do not. */
  metadata: Metadata;
  /**
   * Number of installments, one or more. Sent as a string; the specification does not show a maximum. `amount` is the
   * total: see `installmentPlan`.
   */
  installments: number | string;
  /** The card, as a token. */
  card: {
    /** The card token, as a `CardToken` or as the string that the buyer's page posted. Valid for five minutes. */
    hash: string | CardTokenLike;
  };
}

/**
 * What the create calls of a client repeat. A call that has a field itself does not use its default: `metadata` is
 * replaced, not merged.
 */
export interface CreateDefaults {
  /** Default of `metadata`: see {@link CreateCardParams.metadata}. */
  metadata?: Metadata | undefined;
  /** Default of `traceable`. The specification does not explain it. */
  traceable?: boolean | undefined;
  /** Defaults of a pix. A card payment does not use them. */
  pix?:
    | {
        /** Whole days until the code expires. The service lowers values above 30 to 30. */
        expiresInDays?: number | undefined;
      }
    | undefined;
}

/** Names of the required parameters that are surely in `Defaults`: of a union, in all its members. */
type NamesIn<Defaults> = {
  [Name in "metadata" | "traceable"]: [Defaults] extends [{ readonly [Key in Name]: CreateCardParams[Name] }]
    ? Name
    : never;
}["metadata" | "traceable"];

/** {@link CreateCardParams}, in which what `Defaults` contain is optional. */
export type CardParamsWith<Defaults> = [NamesIn<Defaults>] extends [never]
  ? CreateCardParams
  : Omit<CreateCardParams, NamesIn<Defaults>> & {
      [Name in NamesIn<Defaults>]?: CreateCardParams[Name] | undefined;
    };

/** Parameters of any payment; `paymentMethod` selects the method. */
export type CreateTransactionParams =
  | (CreatePixParams & {
      /** Selects a pix. */
      paymentMethod: "pix";
    })
  | (CreateCardParams & {
      /** Selects a card payment. */
      paymentMethod: "credit_card";
    });
