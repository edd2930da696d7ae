/**
 * The tests of the store contract, for a custom store. Unlike `payments-sdk/testing`, it needs no modules of Node but
 * `node:assert`, so that it loads in Workers.
 *
 * @module payments-sdk/idempotency/testing
 */

export type { RuleTest as StoreTest } from "./testing/rules.ts";
export type { StoreFeatures, TestDatabase } from "./testing/stores/setting.ts";
export { storeTests } from "./testing/stores/store-tests.ts";
