/**
 * The tests of the store contract, for a custom store. The former path of `storeTests`, until 1.0.
 *
 * @module payments-sdk/idempotency/testing
 */

export type { RuleTest as StoreTest } from "./testing/rules.ts";
export type { StoreFeatures, TestDatabase } from "./testing/stores/setting.ts";
export { storeTests } from "./testing/stores/store-tests.ts";
