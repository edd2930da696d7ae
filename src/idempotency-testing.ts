/**
 * The tests of the store contract, for a custom store.
 *
 * @module payments-sdk/idempotency/testing
 */

export type { StoreFeatures, TestDatabase } from "./idempotency/testing/rule.ts";
export { type StoreTest, storeTests } from "./idempotency/testing/store-tests.ts";
