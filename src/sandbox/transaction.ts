import type { DocumentType, PaymentMethod, TRANSACTION_STATUSES } from "../spec/values.ts";
import type { MoveName } from "./move-names.ts";

/** Spec: "States and transitions". */
export type SandboxStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * A transaction as the service answers it, by the service's own names.
 *
 * Spec: "Transaction (`data`)". Fields that echo something are missing when it was not sent.
 */
export interface TransactionData {
  readonly id: number;
  readonly status: SandboxStatus;
  /** On refused card transactions only. */
  readonly refusedReason?: string;
  /** Cents, as are all amounts. */
  readonly amount: number;
  readonly companyId: number;
  /** Always 1 for a pix. */
  readonly installments: number;
  /** `amount` on a refused card transaction, else 0. */
  readonly refusedAmount: number;
  readonly paidAmount: number;
  readonly refundedAmount: number;
  readonly paymentMethod: PaymentMethod;
  readonly metadata?: string;
  readonly acquirerType: string;
  readonly secureId: string;
  readonly secureUrl: string;
  /** The `externalRef` of the request. */
  readonly externalId?: string;
  readonly customer: {
    readonly name: string;
    readonly email: string;
    readonly phone?: string;
    readonly document: { readonly type: DocumentType; readonly number: string };
    readonly externalRef?: string;
  };
  /** For a pix only. */
  readonly pix?: SandboxPix;
  readonly traceable: boolean;
  readonly fees: number;
  /** The `postbackUrl` of the request, with the service's capital B. */
  readonly postBackUrl?: string;
  readonly createdAt: string;
}

/** Spec: "`data.pix`". */
export interface SandboxPix {
  /** A PNG as a data URI. */
  readonly qrcode: string;
  /** The copy-and-paste code, a BR Code. */
  readonly qrcodeText: string;
  readonly expirationDate: string;
}

/** A status that a transaction came to, and when. */
export interface TimelineEntry {
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
