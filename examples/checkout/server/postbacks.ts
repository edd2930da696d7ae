import { createPostbackHandler, type Postback, type PostbackHandler } from "payments-sdk/postbacks";
import type { Attempt } from "./orders.ts";
import { settle } from "./pay.ts";
import type { Shop } from "./start-shop.ts";

const MONEY_MOVED: readonly string[] = ["approved", "refunded", "chargedback"];

/**
 * Receives the postbacks of all orders.
 *
 * A postback can arrive twice, late, or before the response to its request. The handler passes each one on once, if its
 * URL was signed for its order. `Order` then applies it.
 */
export function createPostbacks(shop: Shop): PostbackHandler {
  return createPostbackHandler({
    signer: shop.postbackSigner,
    store: shop.store,
    onPostback(postback, { amountMatches }) {
      const attempt = attemptOf(shop, postback);
      if (!amountMatches) {
        // A partial refund, or another amount: the order stays as it is, and a person has to check.
        shop.log(`${attempt.externalRef}: ${postback.status} with another amount. Look at it.`);
        return;
      }
      attempt.transactionId ??= postback.id;
      const isReplaced = attempt.transactionId !== postback.id;
      if (isReplaced && !MONEY_MOVED.includes(postback.status)) return; // the end of a pix code that no one has seen
      settle(shop, attempt, { transactionId: postback.id, status: postback.status });
    },
    onEvent(event) {
      if (event.type === "refused" || event.type === "failed" || event.type === "store_failed") {
        shop.log(`A postback got ${event.status}: ${event.error}`);
      }
    },
  });
}

/** @throws if the shop has no such attempt: the service gets a 500, and sends the postback again. */
function attemptOf({ orders }: Shop, { id, externalRef = "" }: Postback): Attempt {
  const attempt = orders.attemptOf(externalRef);
  if (attempt === undefined) throw new Error(`${externalRef}: no such order, for transaction ${id}`);
  const { transactionId = id, isReplaced = false } = attempt;
  if (transactionId !== id && !isReplaced)
    throw new Error(`${externalRef}: transaction ${id} is not its ${transactionId}`);
  return attempt;
}
