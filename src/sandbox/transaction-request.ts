import type { DocumentType } from "../spec/values.ts";

/** The fields of a create-transaction body that both methods have. Spec: "POST /api/v1/transactions". */
interface RequestBase {
  /** Cents. */
  readonly amount: number;
  readonly customer: {
    readonly name: string;
    readonly email: string;
    readonly phone?: string;
    readonly document: { readonly type: DocumentType; readonly number: string };
    /** In one example of the specification; no rule names it, so that it may be anything. */
    readonly externalRef?: unknown;
  };
  readonly externalRef?: string;
  readonly postbackUrl?: string;
  readonly traceable?: boolean;
  readonly metadata?: string;
}

export interface CardTransactionRequest extends RequestBase {
  readonly paymentMethod: "credit_card";
  readonly installments: string;
  readonly card: { readonly hash: string };
}

export interface PixTransactionRequest extends RequestBase {
  readonly paymentMethod: "pix";
  readonly pix?: { readonly expiresInDays?: number };
}

/** A body that the transaction rules found nothing wrong with. */
export type TransactionRequest = CardTransactionRequest | PixTransactionRequest;
