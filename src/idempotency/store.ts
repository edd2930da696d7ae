import type { IdempotencyStore } from "./contract.ts";
import type { Documents } from "./documents.ts";
import { OrderStore } from "./order-store.ts";
import type { PostbackStore } from "./postback-contract.ts";

/** Keeps what became of payments, and which postbacks were handled. */
export interface PaymentsStore extends IdempotencyStore, PostbackStore {}

/** What a store is made of. */
export interface StoreParts {
  readonly orders: Documents;
  readonly postbacks: PostbackStore;
  readonly warning?: string;
}

/** A store whose members are plain functions, and can be passed on as they are. */
export function storeOn({ orders, postbacks, warning }: StoreParts): PaymentsStore {
  const store = new OrderStore(orders);
  return {
    ...(warning !== undefined && { warning }),
    claim: (order, leaseMs, options) => store.claim(order, leaseMs, options),
    renew: (order, leaseMs) => store.renew(order, leaseMs),
    end: (order, end) => store.end(order, end),
    settle: (externalRef, news) => store.settle(externalRef, news),
    unresolved: (options) => store.unresolved(options),
    resolve: (externalRef, finding) => store.resolve(externalRef, finding),
    claimPostback: (key, owner, leaseMs) => postbacks.claimPostback(key, owner, leaseMs),
    renewPostback: (key, owner, leaseMs) => postbacks.renewPostback(key, owner, leaseMs),
    confirmPostback: (key, owner) => postbacks.confirmPostback(key, owner),
    releasePostback: (key, owner) => postbacks.releasePostback(key, owner),
  };
}
