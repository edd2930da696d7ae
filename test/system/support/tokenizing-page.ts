// Runs in a page or a worker: tokenizes a card, and reports the result.
import type { CardParams, CardTokenizerOptions } from "payments-sdk/browser";

/** Options that can be serialized into a page. */
export type PlainOptions = Pick<CardTokenizerOptions, "baseUrl" | "publicKey" | "timeout" | "maxRetries">;

/** The browser entry, in whichever form it was loaded. */
type BrowserSdk = typeof import("payments-sdk/browser");

/** The result of a tokenization, serializable. */
export interface TokenizeResult {
  readonly token?: string;
  readonly error?: { code: string; actor: string; message: string; reason: string | undefined };
  readonly durationMs: number;
}

declare global {
  interface Window {
    sdk: BrowserSdk;
    /** Called by tests: types a card into the form, and tokenizes it. */
    tokenize(options: PlainOptions, card: CardParams): Promise<TokenizeResult>;
    violations: string[];
  }
}

export function startPage(sdk: BrowserSdk): void {
  window.sdk = sdk;
  window.tokenize = async (options, card) => {
    for (const input of document.querySelectorAll("input")) {
      input.value = String(card[input.name as keyof CardParams]);
    }
    return tokenize(sdk, options, card);
  };
  window.violations = [];
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    window.violations.push(`${effectiveDirective} ${blockedURI}`);
  });
}

/** Responds to each message, which contains options and a card. */
export function startWorker(sdk: BrowserSdk): void {
  globalThis.addEventListener("message", async ({ data: [options, card] }) => {
    globalThis.postMessage(await tokenize(sdk, options, card));
  });
}

async function tokenize(sdk: BrowserSdk, options: PlainOptions, card: CardParams): Promise<TokenizeResult> {
  const start = performance.now();
  const events: unknown[] = [];
  const tokenizer = new sdk.CardTokenizer({ onEvent: (event) => events.push(event), ...options });
  try {
    const { value } = await tokenizer.tokenize(card);
    return { token: value, durationMs: performance.now() - start };
  } catch (error) {
    if (!sdk.isPaymentsError(error)) throw error;
    console.error(error, tokenizer, events); // as pages do
    const { code, actor, message } = error;
    const reason = error instanceof sdk.ConnectionError ? error.reason : undefined;
    return { error: { code, actor, message, reason }, durationMs: performance.now() - start };
  }
}
