import type { DocumentType, PaymentMethod, TRANSACTION_STATUSES } from "../spec/values.ts";
import type { MoveName } from "./move-names.ts";

/**
 * A status of the specification.
 *
 * Spec: "States and transitions".
 *
 * @useDeclaredType
 */
export type SandboxStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * A transaction as the service answers it, by the service's own names.
 *
 * Spec: "Transaction (`data`)". Fields that echo something are missing when it was not sent.
 */
export interface TransactionData {
  /** Transaction identifier. */
  readonly id: number;
  /** Where the payment stands. */
  readonly status: SandboxStatus;
  /** On refused card transactions only. */
  readonly refusedReason?: string;
  /** Cents, as are all amounts. */
  readonly amount: number;
  /** Owning company. */
  readonly companyId: number;
  /** Always 1 for a pix. */
  readonly installments: number;
  /** `amount` on a refused card transaction, else 0. */
  readonly refusedAmount: number;
  /** Cents. */
  readonly paidAmount: number;
  /** Cents. */
  readonly refundedAmount: number;
  /** How it is paid. */
  readonly paymentMethod: PaymentMethod;
  /** Echo of the request. */
  readonly metadata?: string;
  /** Kind of processor. */
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
    /** Telephone number. */
    readonly phone?: string;
    /** Tax document of the buyer. */
    readonly document: {
      /** `cpf` or `cnpj`. */
      readonly type: DocumentType;
      /** As it was sent. */
      readonly number: string;
    };
    /** Echo of the request. */
    readonly externalRef?: string;
  };
  /** For a pix only. */
  readonly pix?: SandboxPix;
  /** Echo of the request. */
  readonly traceable: boolean;
  /** Cents. */
  readonly fees: number;
  /** The `postbackUrl` of the request, with the service's capital B. */
  readonly postBackUrl?: string;
  /** ISO 8601, by the gateway's clock. */
  readonly createdAt: string;
}

/** Spec: "`data.pix`". */
export interface SandboxPix {
  /** A PNG as a data URI. */
  readonly qrcode: string;
  /** The copy-and-paste code, a BR Code. */
  readonly qrcodeText: string;
  /** ISO 8601, by the gateway's clock. */
  readonly expirationDate: string;
}

/** A status that a transaction came to, and when. */
export interface TimelineEntry {
  /** The status that it came to. */
  readonly status: SandboxStatus;
  /** ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** What brought it there; missing at creation, and where its scenario did. */
  readonly move?: MoveName;
  /** Cents: what a refund gave back. */
  readonly amount?: number;
}

/**
 * A transaction as the gateway keeps it: its present state, and how it came to it. So `paidAmount` is the
 * amount of an approved card here, while the answer to its creation says 0, as the specification does.
 */
export interface SandboxTransaction extends TransactionData {
  /** What the card's number chose, see `TEST_CARDS`; missing on a pix. */
  readonly scenario?: string;
  /** Oldest first; the last entry is the present status. */
  readonly timeline: readonly TimelineEntry[];
}
