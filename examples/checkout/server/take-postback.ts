import { InvalidPostbackError } from "payments-sdk";
import { type Postback, parsePostback } from "payments-sdk/postbacks";
import type { Attempt } from "./orders.ts";
import { settle } from "./pay.ts";
import type { Shop } from "./shop.ts";

/** Statuses that may be about a part of the amount. */
const OF_A_PART: ReadonlySet<string> = new Set(["refunded", "chargedback"]);

/**
 * Takes one postback: the only source of truth once a create has been answered, or has not been.
 *
 * A postback is unsigned. This shop believes one that comes to an address which only the service was told, and whose
 * transaction, reference and amount are those of the attempt. It may come twice, late, or before the create has
 * answered: the order knows what to make of it.
 *
 * @returns the HTTP status of the answer.
 */
export function takePostback(shop: Shop, postbackKey: string, body: string): 204 | 400 | 404 {
  const attempt = shop.orders.attemptOf(postbackKey);
  if (attempt === undefined) return 404;
  try {
    const postback = parsePostback(body);
    if (!belongsTo(attempt, postback)) return 400;
    attempt.transactionId ??= postback.id;
    if (postback.amount < attempt.order.amount) {
      shop.log(`${attempt.externalRef}: a part was ${postback.status}, says a postback`); // the rest stays paid
      return 204;
    }
    settle(shop, attempt, { status: postback.status }, ", says a postback");
    return 204;
  } catch (error) {
    if (error instanceof InvalidPostbackError) return 400;
    throw error;
  }
}

function belongsTo({ order, externalRef, transactionId }: Attempt, postback: Postback): boolean {
  return (
    (transactionId === undefined || transactionId === postback.id) &&
    (postback.externalRef === undefined || postback.externalRef === externalRef) &&
    (postback.amount === order.amount || OF_A_PART.has(postback.status))
  );
}
