import type { ArmedFault, Fault, FaultKind } from "../faults/fault.ts";
import type { Gateway } from "../gateway.ts";
import type { PostbackDelivery } from "../postbacks/postback-delivery.ts";
import type { SandboxRequest } from "../requests/request-log.ts";
import type { MoveName, SandboxTransaction } from "../transactions/sandbox-transaction.ts";

/** The response bodies of the control API. */

export interface Overview extends Pick<Gateway, "baseUrl" | "secretKey" | "publicKey" | "companyName"> {
  /** ISO 8601, by the gateway's clock. */
  readonly now: string;
}

/** A row of the list of transactions. */
export interface TransactionSummary
  extends Pick<SandboxTransaction, "id" | "status" | "paymentMethod" | "amount" | "refundedAmount">,
    Pick<SandboxTransaction, "externalId" | "createdAt" | "fault"> {
  readonly customerName: string;
}

export function toSummary(transaction: SandboxTransaction): TransactionSummary {
  const { id, status, paymentMethod, amount, refundedAmount, externalId, customer, createdAt } = transaction;
  const { fault } = transaction;
  return {
    id,
    status,
    paymentMethod,
    amount,
    refundedAmount,
    ...(externalId !== undefined && { externalId }),
    customerName: customer.name,
    createdAt,
    ...(fault !== undefined && { fault }),
  };
}

/** About all entries that match a search. */
interface Matches {
  readonly total: number;
  /** Whether older ones match. */
  readonly hasMore: boolean;
}

export interface TransactionPage extends Matches {
  /** Newest first. */
  readonly transactions: readonly TransactionSummary[];
}

export interface TransactionDetail extends Pick<Gateway, "pixReturnedAs"> {
  readonly transaction: SandboxTransaction;
  readonly moves: readonly MoveName[];
  /** Newest first. */
  readonly deliveries: readonly PostbackDelivery[];
}

/** A row of the list of requests. The bodies are in the request itself. */
export type RequestSummary = Omit<SandboxRequest, "requestBody" | "responseBody">;

export function toRequestSummary(request: SandboxRequest): RequestSummary {
  const { requestBody: _sent, responseBody: _received, ...summary } = request;
  return summary;
}

export interface RequestPage extends Matches {
  /** Newest first. */
  readonly requests: readonly RequestSummary[];
}

export interface FaultsView {
  readonly armed: readonly ArmedFault[];
  /** The faults that can be armed, and what for. */
  readonly kinds: readonly {
    readonly kind: FaultKind;
    readonly description: string;
    readonly on: readonly Fault["on"][];
  }[];
}

export interface CheckoutView
  extends Omit<TransactionSummary, "createdAt" | "fault">,
    Pick<SandboxTransaction, "refusedReason" | "pix"> {
  readonly companyName: string;
}
