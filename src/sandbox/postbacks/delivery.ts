import type { SandboxStatus } from "../transaction.ts";

/** What the service posts to the `postbackUrl`. Spec: "Postback notification". */
export interface PostbackBody {
  /** The transaction's. */
  readonly id: number;
  /** The status that it came to. */
  readonly status: SandboxStatus;
  /** Missing where the transaction has none. */
  readonly externalRef?: string;
  /** Cents: the transaction's amount, also of a refund. */
  readonly amount: number;
  /** ISO 8601, when the status changed. */
  readonly transactionDate: string;
}

/** One time that a postback was sent. */
export interface DeliveryAttempt {
  /** ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** The HTTP status of the receiver's answer. */
  readonly status?: number;
  /** The text of the receiver's answer, cut to 1,000 characters. */
  readonly body?: string;
  /** Why no answer came. */
  readonly error?: string;
}

/** A postback on its way, or at its end. */
export interface PostbackDelivery {
  /** Counts up from 1. */
  readonly id: number;
  /** The transaction that it tells of. */
  readonly transactionId: number;
  /** Where it is posted to. */
  readonly url: string;
  /** What is posted. */
  readonly body: PostbackBody;
  /** `failed` when no attempt that is left got a 2xx. */
  readonly status: "scheduled" | "delivered" | "failed";
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** ISO 8601, while `scheduled`. */
  readonly nextAttemptAt?: string;
}
