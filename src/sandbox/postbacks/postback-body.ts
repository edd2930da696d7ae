import type { EVENT_NAMES } from "../../spec/values.ts";
import type { GatewaySettings } from "../gateway-options.ts";
import type { SandboxStatus, SandboxTransaction } from "../transactions/transaction.ts";
import type { PostbackBody } from "./delivery.ts";

/** What is posted when the status of a transaction changes. Spec: "Events". */

type EventName = (typeof EVENT_NAMES)[number];

/** Spec: "Configurable event names". The other statuses have none. */
const EVENT_OF_STATUS: Partial<Record<SandboxStatus, EventName>> = {
  approved: "transaction.approved",
  refused: "transaction.refused",
  refunded: "transaction.refunded",
  chargedback: "transaction.chargedback",
  cancelled: "transaction.canceled",
};

/** Whether a change to this status is posted. The specification says "any status change", and has event names too. */
export function isPosted(status: SandboxStatus, { postbacks, company }: GatewaySettings): boolean {
  if (status === "expired" && !postbacks.expired) return false;
  if (!postbacks.onlyConfiguredEvents) return true;
  const event = EVENT_OF_STATUS[status];
  return event !== undefined && company.configuration.webhook.events.includes(event);
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
