import type { TRANSACTION_STATUSES } from "../../spec/transaction-status.ts";
import type { DocumentType, PaymentMethod } from "../../spec/values.ts";
import type { FaultKind } from "../faults/fault.ts";

/** Everything that can happen to a transaction after its creation. */
export const MOVES = ["pay", "expire", "refund", "med", "chargeback", "cancel"] as const;

/**
 * A move of a gateway. Each is also a method of `Gateway`.
 *
 * @useDeclaredType
 */
export type MoveName = (typeof MOVES)[number];

/**
 * A status of the specification.
 *
 * Spec: "States and transitions".
 *
 * @useDeclaredType
 */
export type SandboxStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * A transaction as the service returns it, with the service's field names.
 *
 * Spec: "Transaction (`data`)". Fields that echo a request field are missing if it was not sent.
 */
interface TransactionData {
  /** Transaction identifier. */
  readonly id: number;
  /** Current status. */
  readonly status: SandboxStatus;
  /** Only on refused transactions. */
  readonly refusedReason?: string;
  /** Cents, as are all amounts. */
  readonly amount: number;
  /** Id of the owning company. */
  readonly companyId: number;
  /** Always 1 for a pix. */
  readonly installments: number;
  /** `amount` on a refused card, otherwise 0. */
  readonly refusedAmount: number;
  /** Cents. */
  readonly paidAmount: number;
  /** Cents. */
  readonly refundedAmount: number;
  /** Payment method. */
  readonly paymentMethod: PaymentMethod;
  /** Echo of the request. */
  readonly metadata?: string;
  /** Type of the payment processor. */
  readonly acquirerType: string;
  /** Identifier of the hosted checkout. */
  readonly secureId: string;
  /** URL of the hosted checkout. */
  readonly secureUrl: string;
  /** The `externalRef` of the request. */
  readonly externalId?: string;
  /** Echo of the request. */
  readonly customer: {
    /** Full name. */
    readonly name: string;
    /** E-mail address. */
    readonly email: string;
    /** Phone number. */
    readonly phone?: string;
    /** Tax document of the customer. */
    readonly document: {
      /** `cpf` or `cnpj`. */
      readonly type: DocumentType;
      /** Unchanged from the request. */
      readonly number: string;
    };
    /** The `externalRef` of the request. */
    readonly externalRef?: string;
  };
  /** Only on a pix that was not refused. */
  readonly pix?: SandboxPix;
  /** Echo of the request. */
  readonly traceable: boolean;
  /** Cents. */
  readonly fees: number;
  /** The `postbackUrl` of the request. The service spells it with a capital B here. */
  readonly postBackUrl?: string;
  /** ISO 8601, by the gateway's clock. */
  readonly createdAt: string;
}

/** Spec: "`data.pix`". */
export interface SandboxPix {
  /** The QR code, a PNG image as a data URI. */
  readonly qrcode: string;
  /** The code to copy and paste, a BR Code. */
  readonly qrcodeText: string;
  /** ISO 8601, by the gateway's clock. */
  readonly expirationDate: string;
}

/** Spec: "Order item". */
export interface SandboxItem {
  /** Name of the item. */
  readonly title: string;
  /** Cents. */
  readonly unitPrice: number;
  /** Number of units. */
  readonly quantity: number;
  /** Whether it is a physical good. */
  readonly tangible: boolean;
  /** URL of an image; may be empty. */
  readonly product_image?: string;
}

/** A change of a transaction's status. */
export interface TimelineEntry {
  /** The new status. */
  readonly status: SandboxStatus;
  /** ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** The move that caused it; missing at creation and if the card's scenario caused it. */
  readonly move?: MoveName;
  /** Cents that were returned to the customer. */
  readonly amount?: number;
}

/**
 * A transaction in the gateway: its current state and its history. `paidAmount` of an approved card is its amount
 * here, but 0 in the response to its creation, as in the specification.
 */
export interface SandboxTransaction extends TransactionData {
  /** The scenario of the card number, see `TEST_CARDS`; missing on a pix. */
  readonly scenario?: string;
  /**
   * The fault that replaced the response to its creation, so that the merchant may not know that the transaction exists,
   * or `pix_refused`.
   */
  readonly fault?: FaultKind;
  /** The `items` of the request; missing if it had none. The service does not return them. */
  readonly items?: readonly SandboxItem[];
  /** Oldest first; the last entry is the current status. */
  readonly timeline: readonly TimelineEntry[];
}

/** No transaction or postback with this id exists in the gateway. */
export class UnknownIdError extends Error {
  /** Name of the class, also in minified code. */
  override readonly name = "UnknownIdError";
}

/** The transaction's status does not allow the move; nothing has changed. */
export class ImpossibleMoveError extends Error {
  /** Name of the class, also in minified code. */
  override readonly name = "ImpossibleMoveError";
}
