import type { CardParams, CardTokenizerOptions } from "payments-sdk/browser";

/** Options that can travel into a page. */
export type PlainOptions = Pick<CardTokenizerOptions, "baseUrl" | "publicKey" | "timeout" | "maxRetries">;

/** The browser entry, in whichever form it was loaded. */
export type BrowserSdk = typeof import("payments-sdk/browser");

/** What came of a tokenization, as far as it can travel out of a page. */
export interface Report {
  readonly token?: { readonly value: string; readonly expired: boolean };
  readonly error?: {
    readonly name: string;
    readonly code: string;
    readonly actor: string;
    readonly reason: string | undefined;
    readonly message: string;
    readonly issues: readonly { readonly field: string }[];
    /** Everything that a look at it shows. */
    readonly everything: string;
  };
  readonly durationMs: number;
}

/** One tokenization. A page logs its failure, as pages do. */
export async function report(
  sdk: BrowserSdk,
  options: PlainOptions,
  card: CardParams,
  abortAfterMs?: number,
): Promise<Report> {
  const started = performance.now();
  const took = () => performance.now() - started;
  const controller = new AbortController();
  if (abortAfterMs !== undefined) setTimeout(() => controller.abort(), abortAfterMs);
  const events: unknown[] = [];
  const tokenizer = new sdk.CardTokenizer({ onEvent: (event) => events.push(event), ...options });
  try {
    const token = await tokenizer.tokenize(card, { signal: controller.signal });
    return { token: { value: token.value, expired: token.isExpired() }, durationMs: took() };
  } catch (error) {
    if (!sdk.isPaymentsError(error)) throw error;
    console.error(error, tokenizer, events);
    const { name, code, actor, message } = error;
    return {
      error: {
        name,
        code,
        actor,
        message,
        reason: error instanceof sdk.ConnectionError ? error.reason : undefined,
        issues: "issues" in error ? (error.issues as []) : [],
        everything: [error, tokenizer, events].map((value) => everythingOf(value)).join("\n"),
      },
      durationMs: took(),
    };
  }
}

/** Every text that can be reached from a value, hidden members and prototypes included. */
function everythingOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "";
  seen.add(value);
  const members = Object.getOwnPropertyNames(value).map((name) => [name, Reflect.get(value, name)] as const);
  const entries = value instanceof Headers ? [...value] : members;
  return [
    JSON.stringify(value),
    String(value),
    ...entries.map(([name, member]) => `${name}: ${everythingOf(member, seen)}`),
  ].join("\n");
}
