import type { EndpointName } from "../../spec/endpoints.ts";
import type { PaymentMethod } from "../../spec/values.ts";
import type { ArmedFault, FaultKind } from "../faults/fault.ts";
import type { MoveName } from "../move-names.ts";
import type { PostbackDelivery } from "../postbacks/delivery.ts";
import type { SandboxPix, SandboxStatus, SandboxTransaction } from "../transaction.ts";

/** The JSON of the control API: what its answers hold. */

export interface Overview {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly companyName: string;
  /** ISO 8601, by the gateway's clock. */
  readonly now: string;
}

/** A row of the list of transactions. */
export interface TransactionSummary {
  readonly id: number;
  readonly status: SandboxStatus;
  readonly paymentMethod: PaymentMethod;
  /** Cents. */
  readonly amount: number;
  /** Cents. */
  readonly refundedAmount: number;
  readonly externalId?: string;
  readonly customerName: string;
  readonly createdAt: string;
}

export interface TransactionPage {
  /** Newest first. */
  readonly transactions: readonly TransactionSummary[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

export interface TransactionDetail {
  readonly transaction: SandboxTransaction;
  /** The moves that make sense now. */
  readonly moves: readonly MoveName[];
  /** Newest first. */
  readonly deliveries: readonly PostbackDelivery[];
}

export interface FaultsView {
  readonly armed: readonly ArmedFault[];
  /** What can be armed, and for which endpoints. */
  readonly kinds: readonly FaultKindView[];
}

export interface FaultKindView {
  readonly kind: FaultKind;
  readonly description: string;
  readonly on: readonly EndpointName[];
}

/** What the hosted checkout page shows. */
export interface CheckoutView extends Omit<TransactionSummary, "createdAt"> {
  readonly companyName: string;
  readonly refusedReason?: string;
  /** For a pix only. */
  readonly pix?: SandboxPix;
}
