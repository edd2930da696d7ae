import type { SandboxStatus } from "../transactions/transaction.ts";

/** What the service posts to the `postbackUrl`. Spec: "Postback notification". */
export interface PostbackBody {
  /** Id of the transaction. */
  readonly id: number;
  /** New status of the transaction. A cancelled pix is spelled as the option `pixCancelledAs` sets it. */
  readonly status: SandboxStatus | "canceled";
  /** Missing if the transaction has none. */
  readonly externalRef?: string;
  /** Cents: the amount of the transaction, even for a refund. */
  readonly amount: number;
  /** ISO 8601: when the status changed. */
  readonly transactionDate: string;
}

/** An attempt to send a postback. */
export interface DeliveryAttempt {
  /** ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** HTTP status of the receiver's response. */
  readonly status?: number;
  /** Body of the receiver's response, truncated to 1,000 characters. */
  readonly body?: string;
  /** Why no response was received. */
  readonly error?: string;
}

/** A postback and its attempts. */
export interface PostbackDelivery {
  /** 1 for the first postback, then increasing. */
  readonly id: number;
  /** Id of the transaction. */
  readonly transactionId: number;
  /** URL that it is posted to. */
  readonly url: string;
  /** Body that is posted. */
  readonly body: PostbackBody;
  /** `failed` when all attempts are used and none got a 2xx. */
  readonly status: "scheduled" | "delivered" | "failed";
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** ISO 8601; only while `scheduled`. */
  readonly nextAttemptAt?: string;
}
