import type { CardParams } from "payments-sdk/browser";
import { type BrowserSdk, type PlainOptions, type Report, report } from "./report.ts";

/** What a test calls in the page. */
export interface CardPage {
  /** Types a card into the form, sends it, and shows what came of it. */
  tokenize(options: PlainOptions, card: CardParams, abortAfterMs?: number): Promise<Report>;
  readonly sdk: BrowserSdk;
}

declare global {
  interface Window {
    cardPage: CardPage;
    violations: string[];
  }
}

const input = (name: string) => document.querySelector<HTMLInputElement>(`input[data-field="${name}"]`);

export function startPage(sdk: BrowserSdk): void {
  const tokenize = async (options: PlainOptions, card: CardParams, abortAfterMs?: number) => {
    for (const [name, value] of Object.entries(card)) {
      const field = input(name);
      if (field) field.value = String(value);
    }
    const outcome = await report(sdk, options, card, abortAfterMs);
    const shown = document.querySelector("output");
    if (shown) shown.textContent = outcome.error ? outcome.error.everything : "a token";
    return outcome;
  };
  window.cardPage = { tokenize, sdk };
}

window.violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  window.violations.push(`${effectiveDirective} ${blockedURI}`);
});
