import type { Postback, PostbackContext } from "payments-sdk/postbacks";

/** The transactions that paid for each order, by reference. A real shop uses its database. */
export const payments = new Map<string, Set<number>>();

/**
 * What a new status means for an order: an `onPostback` for `createPostbackHandler`, which calls it once per status.
 *
 * If it throws, for example because the database is down, the service gets a 500, and the next postback calls it again.
 */
export function settleOrder(
  { id, externalRef = "", status, amount }: Postback,
  { transition, amountMatches }: PostbackContext,
): void {
  if (transition === "regression") return; // late: a newer status is known
  if (transition !== "advance" || !amountMatches) {
    // For example a partial refund, or an unknown status: a person has to check.
    console.warn(`Order ${externalRef} needs a check: transaction ${id} is ${status}, ${amount} cents.`);
    return;
  }
  const payers = payments.get(externalRef) ?? new Set();
  if (status === "approved") {
    payments.set(externalRef, payers.add(id));
    // Do not throw: the postback would be sent again, and the buyer would still have paid twice.
    if (payers.size > 1) {
      console.warn(
        `Order ${externalRef} was paid by transactions ${[...payers].join(" and ")}: have one of them refunded.`,
      );
    }
  }
  // A refund or chargeback affects only its own transaction.
  const isTakenBack = status === "refunded" || status === "chargedback";
  if (isTakenBack && payers.delete(id) && payers.size === 0) payments.delete(externalRef);
}
