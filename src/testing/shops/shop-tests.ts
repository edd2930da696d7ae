import { explainFailure, type RuleTest } from "../rules.ts";
import { MissingMethod } from "./customer.ts";
import { FAILURE_RULES } from "./failure-rules.ts";
import { PAYMENT_RULES } from "./payment-rules.ts";
import { POSTBACK_RULES } from "./postback-rules.ts";
import { startRehearsal } from "./rehearsal.ts";
import { RESTART_RULES } from "./restart-rules.ts";
import type { Shop, ShopOrder, ShopService } from "./shop.ts";

/** Options of {@link shopTests}. */
export interface ShopTestsOptions {
  /** Starts the shop with this service. Called once by each test. */
  readonly start: (service: ShopService) => Promise<Shop>;
  /**
   * Milliseconds that a test waits for each answer of the shop, and for what must happen, such as that a paid order is
   * shipped. Choose a higher time limit for the tests themselves. Default 4,000.
   */
  readonly timeoutMs?: number | undefined;
  /** With which customers can pay. The tests of others are skipped. Default: both. */
  readonly methods?: readonly ShopOrder["method"][] | undefined;
}

/**
 * The tests of what a shop must do to neither lose money nor charge a customer twice: each pays on a sandbox of its own,
 * and makes one thing go wrong.
 *
 * ```ts
 * import { test } from "node:test"; // or from vitest, or the global of Jest
 *
 * for (const { name, run } of shopTests({ start })) test(name, run);
 * ```
 */
export function shopTests({
  start,
  timeoutMs = 4_000,
  methods = ["pix", "credit_card"],
}: ShopTestsOptions): readonly RuleTest[] {
  if (typeof start !== "function") throw new TypeError("shopTests: start must be a function.");
  if (!(timeoutMs > 0)) throw new TypeError("shopTests: timeoutMs must be a number of milliseconds.");
  if (methods.length === 0) throw new TypeError("shopTests: methods must not be empty.");
  return [...PAYMENT_RULES, ...FAILURE_RULES, ...POSTBACK_RULES, ...RESTART_RULES].map(
    ({ title, needs, check }) => ({
      name: title,
      // A parameter without a default value would make Jest wait for a callback.
      async run(context = {}) {
        const rehearsal = await startRehearsal(start, { timeoutMs, methods });
        try {
          const missing = needs.find((need) => rehearsal.missing.includes(need));
          if (missing === undefined) await check(rehearsal);
          else context.skip?.(`The shop has no ${missing}().`);
        } catch (error) {
          await rehearsal.stop().catch(() => undefined); // the first error says more
          if (error instanceof MissingMethod) return context.skip?.("The shop lacks a method of payment.");
          throw explainFailure(error, `The shop breaks the rule "${title}".`);
        }
        await rehearsal.stop();
      },
    }),
  );
}
