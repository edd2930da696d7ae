import type { Postback, PostbackContext } from "payments-sdk/postbacks";

/** Which transaction paid for which order, by the reference of the order. A shop has a database in its place. */
export const payments = new Map<string, number>();

/**
 * What a new status means for an order. It runs once for each: a repeated postback does not come this far. An error
 * may leave it, of the database for one: the answer is then 500, and it runs again when the postback comes again.
 */
export function settleOrder(
  { id, externalRef = "", status, amount }: Postback,
  { transition, amountMatches }: PostbackContext,
): void {
  if (transition === "regression") return; // it came late, and what is known is newer
  if (transition !== "advance" || !amountMatches) {
    // A refund of a part, for one, or a status that nobody knows. It settles nothing by itself.
    console.warn(`Order ${externalRef} needs a look: transaction ${id} is ${status}, ${amount} cents.`);
    return;
  }
  if (status === "approved") payments.set(externalRef, id);
  // An order may have more than one transaction: what becomes of the others takes nothing back.
  const isTakenBack = status === "refunded" || status === "chargedback";
  if (isTakenBack && payments.get(externalRef) === id) payments.delete(externalRef);
}
