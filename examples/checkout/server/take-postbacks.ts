import {
  createPostbackHandler,
  type Postback,
  type PostbackContext,
  type PostbackEvent,
  type PostbackHandler,
} from "payments-sdk/postbacks";
import type { Attempt } from "./orders.ts";
import { settle } from "./pay.ts";
import type { Shop } from "./shop.ts";

/**
 * Takes the postbacks of all orders: the only source of truth once a create has been answered, or has not been.
 *
 * A postback may come twice, late, or before the create has answered. The handler believes one that comes to the
 * address which was signed for its order, and lets each through once; the order knows what to make of it.
 */
export function takePostbacks(shop: Shop): PostbackHandler {
  return createPostbackHandler({
    signer: shop.postbackSigner,
    onPostback: (postback, context) => takePostback(shop, postback, context),
    onEvent: (event) => logFailure(shop, event),
  });
}

/** Statuses that may be about a part of the amount. */
const OF_A_PART: ReadonlySet<string> = new Set(["refunded", "chargedback"]);

/**
 * What arrives here is signed, since the handler takes nothing else. `transition` does not decide: it knows earlier
 * postbacks only, while the order has heard the answer to its create, and which refund was of a part.
 */
function takePostback(shop: Shop, postback: Postback, context: PostbackContext): void {
  const { amountMatches, transition, previousStatus } = context;
  const { status } = postback;
  const attempt = attemptOf(shop, postback);
  if (!amountMatches) {
    const what = OF_A_PART.has(status) ? "a part was" : "another amount is"; // the rest stays as it was
    shop.log(`${attempt.externalRef}: ${what} ${status}, says a postback. Look at it.`);
    return;
  }
  attempt.transactionId ??= postback.id;
  const place = previousStatus === undefined ? transition : `${transition} after ${previousStatus}`;
  settle(shop, attempt, { status }, `, says a postback (${place})`);
}

/**
 * The attempt that a postback is about.
 *
 * @throws where there is none: the answer then says that nothing was handled, and the log shows it.
 */
function attemptOf({ orders }: Shop, { id, externalRef = "" }: Postback): Attempt {
  const attempt = orders.attemptOf(externalRef);
  if (attempt === undefined) throw new Error(`${externalRef}: no such order, but transaction ${id} has it`);
  const { transactionId = id } = attempt;
  if (transactionId !== id) throw new Error(`${externalRef}: transaction ${id} is not its ${transactionId}`);
  return attempt;
}

function logFailure(shop: Shop, event: PostbackEvent): void {
  if (event.type === "refused" || event.type === "failed" || event.type === "store_failed") {
    shop.log(`a postback got ${event.status}: ${event.error}`);
  }
}
