import type { Postback, PostbackContext } from "payments-sdk/postbacks";

/** Which transactions paid for which order, by the reference of the order. A shop has a database in its place. */
export const payments = new Map<string, Set<number>>();

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
  const payers = payments.get(externalRef) ?? new Set();
  if (status === "approved") {
    payments.set(externalRef, payers.add(id));
    // No error: it would come again, and the buyer has paid twice all the same.
    if (payers.size > 1) {
      console.warn(
        `Order ${externalRef} was paid by transactions ${[...payers].join(" and ")}: give one back.`,
      );
    }
  }
  // What becomes of one transaction takes nothing back of another.
  const isTakenBack = status === "refunded" || status === "chargedback";
  if (isTakenBack && payers.delete(id) && payers.size === 0) payments.delete(externalRef);
}
