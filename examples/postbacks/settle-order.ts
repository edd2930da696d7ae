import type { Postback, PostbackContext } from "payments-sdk/postbacks";

/** The transactions that paid for each order, by its reference. A shop has a database in its place. */
export const payments = new Map<string, Set<number>>();

/**
 * What a new status means for an order: an `onPostback` for `createPostbackHandler`, which calls it once for each.
 *
 * If it throws, because the database is down for example, the service gets a 500, and it runs again with the next try.
 */
export function settleOrder(
  { id, externalRef = "", status, amount }: Postback,
  { transition, amountMatches }: PostbackContext,
): void {
  if (transition === "regression") return; // late: what is known is newer
  if (transition !== "advance" || !amountMatches) {
    // A refund of a part for example, or an unknown status. A person has to look.
    console.warn(`Order ${externalRef} needs a look: transaction ${id} is ${status}, ${amount} cents.`);
    return;
  }
  const payers = payments.get(externalRef) ?? new Set();
  if (status === "approved") {
    payments.set(externalRef, payers.add(id));
    // Not an error: the postback would come again, and the buyer has paid twice all the same.
    if (payers.size > 1) {
      console.warn(
        `Order ${externalRef} was paid by transactions ${[...payers].join(" and ")}: give one back.`,
      );
    }
  }
  // A refund takes back its own transaction only.
  const isTakenBack = status === "refunded" || status === "chargedback";
  if (isTakenBack && payers.delete(id) && payers.size === 0) payments.delete(externalRef);
}
