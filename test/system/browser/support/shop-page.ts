import type { CardParams } from "payments-sdk/browser";
import type { Page } from "playwright";
import { visit } from "../../../support/browsing.ts";
import { CVV, HOLDER, NUMBER, tracesIn } from "../../../support/canaries.ts";
import type { PlainOptions, Report } from "../page/report.ts";
import { type Form, type SiteOptions, startSite, strictPolicy } from "./site.ts";

export const CANARY_CARD: CardParams = {
  number: NUMBER,
  holderName: HOLDER,
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: CVV,
};

/** A page with a card form, open in a browser. */
export interface ShopPage {
  readonly page: Page;
  tokenize(options: PlainOptions, card?: CardParams, abortAfterMs?: number): Promise<Report>;
  /** What the page's policy forbade. */
  violations(): Promise<string[]>;
  /** Where card data can be seen that should not be: the console, the DOM, the storage, the address. */
  traces(): Promise<string[]>;
}

/** Opens a shop's page for a service. */
export async function openShop(
  service: string,
  form: Form,
  site: Partial<SiteOptions> = {},
): Promise<ShopPage> {
  const url = await startSite({ form, policy: strictPolicy(service), ...site });
  const { page } = await visit("about:blank");
  const logged: Promise<string>[] = [];
  page.on("console", (message) => {
    logged.push(Promise.resolve(message.text()));
    for (const arg of message.args()) logged.push(arg.evaluate(everythingOf).catch(() => ""));
  });
  page.on("pageerror", (error) => logged.push(Promise.resolve(`${error.message}\n${error.stack}`)));
  await page.goto(url);
  return {
    page,
    tokenize: (options, card = CANARY_CARD, abortAfterMs) =>
      page.evaluate(([given, typed, abort]) => window.cardPage.tokenize(given, typed, abort), [
        { baseUrl: service, publicKey: "pk_test_1", timeout: 20_000, ...options },
        card,
        abortAfterMs,
      ] as const),
    violations: () => page.evaluate(() => window.violations),
    traces: async () => {
      const seen = await page.evaluate(() => [
        document.documentElement.outerHTML,
        location.href,
        document.cookie,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
        JSON.stringify(performance.getEntries().map(({ name }) => name)),
      ]);
      return tracesIn([...seen, ...(await Promise.all(logged))].join("\n"));
    },
  };
}

/** Runs in the page: what its console can unfold of a value. */
function everythingOf(value: unknown): string {
  const seen = new Set<unknown>();
  const unfold = (part: unknown): string => {
    if (typeof part !== "object" || part === null || seen.has(part)) return String(part);
    seen.add(part);
    return Object.getOwnPropertyNames(part)
      .map((name) => `${name}: ${unfold(Reflect.get(part, name))}`)
      .join("\n");
  };
  return unfold(value);
}
