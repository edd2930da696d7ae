import { createPostbackHandler, type Postback, type PostbackHandler } from "payments-sdk/postbacks";
import type { Attempt } from "./orders.ts";
import { settle, shipOnce } from "./pay.ts";
import type { Shop } from "./start-shop.ts";

const MONEY_MOVED: readonly string[] = ["approved", "refunded", "chargedback"];

/**
 * Receives the postbacks of all orders.
 *
 * A postback can arrive twice, late, or before the response to its request. The handler calls the callback for what it means,
 * if its URL was signed for its order, and again until that succeeds. `Order` then applies it.
 */
export function createPostbacks(shop: Shop): PostbackHandler {
  return createPostbackHandler({
    signer: shop.postbackSigner,
    store: shop.store,
    onPaid: (postback) => apply(shop, postback),
    onNotPaid: (postback) => apply(shop, postback),
    async onReturned(postback, { amountMatches }) {
      if (amountMatches) await apply(shop, postback);
      else shop.log(`${postback.externalRef}: a part was ${postback.status}. Look at it.`);
    },
    async onReview(postback, { reason }) {
      shop.log(
        `${postback.externalRef}: ${postback.status} of transaction ${postback.id}: ${reason}. Look at it.`,
      );
      // The order then shows that one of the payments has to be refunded.
      if (reason === "paid_twice") await apply(shop, postback);
    },
    onEvent(event) {
      if (event.type === "refused" || event.type === "failed" || event.type === "store_failed") {
        shop.log(`A postback got ${event.status}: ${event.error}`);
      }
    },
  });
}

/** Applies the status of a transaction to its order. If shipping fails, the handler calls it again. */
async function apply(shop: Shop, postback: Postback): Promise<void> {
  const attempt = attemptOf(shop, postback);
  attempt.transactionId ??= postback.id;
  const isReplaced = attempt.transactionId !== postback.id;
  if (isReplaced && !MONEY_MOVED.includes(postback.status)) return; // the end of a pix code that no one has seen
  settle(shop, attempt, { transactionId: postback.id, status: postback.status });
  await shipOnce(shop, attempt.order);
}

/** @throws if the shop has no such attempt, for example after a restart: the handler tries it again. */
function attemptOf({ orders }: Shop, { id, externalRef = "" }: Postback): Attempt {
  const attempt = orders.attemptOf(externalRef);
  if (attempt === undefined) throw new Error(`${externalRef}: no such order, for transaction ${id}`);
  const { transactionId = id, isReplaced = false } = attempt;
  if (transactionId !== id && !isReplaced)
    throw new Error(`${externalRef}: transaction ${id} is not its ${transactionId}`);
  return attempt;
}
