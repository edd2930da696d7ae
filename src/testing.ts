/**
 * Tests for the code of a merchant: of a shop that takes payments, and of a custom store.
 *
 * @module payments-sdk/testing
 */

export type { RuleTest, TestContext } from "./testing/rules.ts";
export type { Shop, ShopOrder, ShopService, ShopView } from "./testing/shops/shop.ts";
export { type ShopTestsOptions, shopTests } from "./testing/shops/shop-tests.ts";
export type { StoreFeatures, TestDatabase } from "./testing/stores/setting.ts";
export { storeTests } from "./testing/stores/store-tests.ts";
