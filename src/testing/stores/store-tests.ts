import type { RuleTest } from "../rules.ts";
import { OPEN_POSTBACK_RULES } from "./open-postback-rules.ts";
import { ORDER_RULES } from "./order-rules.ts";
import { PLATFORM_RULES } from "./platform-rules.ts";
import { POSTBACK_RULES } from "./postback-rules.ts";
import { RECORD_RULES } from "./record-rules.ts";
import { REPLACEMENT_RULES } from "./replacement-rules.ts";
import { checkRule, isOptional, type Need, type StoreFeatures, type TestDatabase } from "./setting.ts";

/**
 * The tests of every rule of `IdempotencyStore` and `PostbackStore`, for a custom store. The
 * stores of this package pass them.
 *
 * ```ts
 * import { test } from "node:test"; // or from vitest, or the global of Jest
 *
 * for (const { name, run } of storeTests(openDatabase)) test(name, run);
 * ```
 *
 * @param openDatabase - Creates an empty database. Called once by each test.
 * @param features - The features of the store. Default: all except a retention.
 */
export function storeTests(
  openDatabase: () => TestDatabase | Promise<TestDatabase>,
  features: StoreFeatures = {},
): readonly RuleTest[] {
  const { hasPostbacks = true, hasNamespaces = true, isShared = true, retentionDays = 0 } = features;
  const { listsNamespaces = false } = features;
  const has: Partial<Record<Need, boolean>> = {
    ...{ hasPostbacks, hasNamespaces, listsNamespaces, isShared, retentionDays: retentionDays > 0 },
  };
  const ofOrders = [...ORDER_RULES, ...RECORD_RULES, ...REPLACEMENT_RULES];
  return [...ofOrders, ...POSTBACK_RULES, ...OPEN_POSTBACK_RULES, ...PLATFORM_RULES]
    .filter(({ needs }) => needs.every((need) => isOptional(need) || has[need]))
    .map((rule) => ({
      name: rule.title,
      // A parameter without a default value would make Jest wait for a callback.
      run: (context = {}) => checkRule(rule, openDatabase, features, context),
    }));
}
