import type { FaultKind } from "../faults/fault.ts";
import type { GatewaySettings } from "../gateway-options.ts";
import type { SandboxStatus, SandboxTransaction } from "../transactions/sandbox-transaction.ts";

/** What the service posts to the `postbackUrl`. Spec: "Postback notification". */
export interface PostbackBody {
  /** Id of the transaction. */
  readonly id: number;
  /** New status of the transaction. A cancelled pix is spelled as the option `pixCancelledAs` sets it. */
  readonly status: SandboxStatus | "canceled";
  /** Missing if the transaction has none. */
  readonly externalRef?: string;
  /** Cents: the amount of the transaction, even for a refund; of a part with `partialRefunds`. */
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
  /** The fault that made this attempt fail; nothing was sent. */
  readonly fault?: FaultKind;
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

/** Whether a change to this status is posted. The specification says "any status change", and has event names too. */
export function isPosted(status: SandboxStatus, { postbacks, company }: GatewaySettings): boolean {
  if (status === "expired" && !postbacks.expired) return false;
  if (!postbacks.onlyConfiguredEvents) return true;
  const event = `transaction.${status === "cancelled" ? "canceled" : status}`; // not every status has an event name
  return company.configuration.webhook.events.some((name) => name === event);
}

/** The body of a postback with the current status. Spec: "Postback notification". */
export function toBody(transaction: SandboxTransaction, { pixCancelledAs }: GatewaySettings): PostbackBody {
  const { id, status, paymentMethod, externalId, amount, timeline, createdAt } = transaction;
  const isCancelledPix = status === "cancelled" && paymentMethod === "pix";
  return {
    id,
    status: isCancelledPix ? pixCancelledAs : status,
    ...(externalId !== undefined && { externalRef: externalId }),
    amount,
    transactionDate: timeline.find((entry) => entry.status === status)?.at ?? createdAt,
  };
}
