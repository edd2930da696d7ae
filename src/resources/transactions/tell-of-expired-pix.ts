import { type EventListener, emitTo } from "../../http/events.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { CLOCK_TOLERANCE_MS } from "../../spec/limits.ts";
import type { Transaction } from "./transaction.ts";

/** Tells that a replayed pix cannot be paid any more: no postback has said so, and the store believes nothing else. */
export function tellOfExpiredPix(
  transaction: Transaction,
  externalRef: string,
  onEvent: EventListener | undefined,
): void {
  if (transaction.paymentMethod !== "pix" || transaction.status !== "pending") return;
  const end = Date.parse(transaction.pix.expirationDate ?? "");
  if (!(end + CLOCK_TOLERANCE_MS < Date.now())) return;
  const message =
    'is over, and the store was not told: resolve(externalRef, { transactionId, status: "expired" }) frees the reference';
  const endpoint = endpoints.createTransaction.name;
  emitTo(onEvent, { type: "warning", endpoint, externalRef, field: "pix.expirationDate", message });
}
