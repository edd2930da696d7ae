import { join } from "node:path";
import { build } from "esbuild";
import { type CardParams, CardTokenizer, isPaymentsError } from "payments-sdk/browser";
import { onTestFinished, vi } from "vitest";
import { aCard } from "../support/merchant.ts";
import { testClaims, textOf } from "./support/figures.ts";

const ACCOUNT = { baseUrl: "https://pay.example", publicKey: "pk_1" };
const root = join(import.meta.dirname, "../..");

/** When each attempt of a tokenizer with no options ends, in milliseconds, where no answer ever comes. */
async function endsOfAttempts(): Promise<number[]> {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const ends: number[] = [];
  const start = performance.now();
  const fetch = (_url: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        ends.push(Math.round(performance.now() - start));
        reject(signal.reason);
      });
    });
  const failed = new CardTokenizer({ ...ACCOUNT, fetch }).tokenize(aCard()).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  return ends;
}

/** How often a tokenization is sent that always gets such an answer, or none where its connection breaks. */
async function attemptsAt(status: number | "broken"): Promise<number> {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let attempts = 0;
  const fetch = async () => {
    attempts += 1;
    if (status === "broken") throw new TypeError("fetch failed");
    return new Response("", { status });
  };
  const failed = new CardTokenizer({ ...ACCOUNT, fetch }).tokenize(aCard()).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  return attempts;
}

/** How a card goes on the wire. */
async function sentOf(card: Partial<CardParams>): Promise<Record<string, string>> {
  let body = "";
  const fetch = async (_url: string, init: RequestInit) => {
    body = String(init.body);
    return new Response("tok_1");
  };
  await new CardTokenizer({ ...ACCOUNT, fetch }).tokenize(aCard(card));
  return JSON.parse(body) as Record<string, string>;
}

async function complaintAbout(card: Partial<CardParams>): Promise<unknown> {
  const error: unknown = await new CardTokenizer(ACCOUNT)
    .tokenize(aCard(card))
    .catch((thrown: unknown) => thrown);
  return isPaymentsError(error) && error.code === "invalid_request" ? error.message : error;
}

/** Whether the built entry is code for such runtimes as it is, without a syntax that has to be put into older words. */
async function isMadeFor(entry: string, ...target: readonly string[]): Promise<boolean> {
  const codeFor = async (targets: string[]) => {
    const { outputFiles } = await build({
      ...{
        entryPoints: [join(root, "dist", entry)],
        bundle: true,
        write: false,
        format: "esm",
        target: targets,
      },
      ...{ external: ["node:*", "msw"], logLevel: "silent" },
      // They are as old as ES2018; esbuild distrusts every browser's list of properties.
      supported: { "regexp-unicode-property-escapes": true },
    });
    return outputFiles[0]?.text;
  };
  return (await codeFor([...target])) === (await codeFor(["esnext"]));
}

const constantIn = (file: string, pattern: RegExp) => Number(pattern.exec(textOf(file))?.[1]);

testClaims([
  [
    "docs/tokenization.md",
    "because a buyer is waiting: 30 seconds unless told otherwise, retries and the waits between them included.",
    30_000,
    async () => (await endsOfAttempts()).at(-1),
  ],
  [
    "docs/tokenization.md",
    "A broken connection, a 5xx, a 408 and a 429 are tried again,",
    [3, 3, 3, 3, 3, 1],
    async () => {
      const attempts: number[] = [];
      for (const status of ["broken", 500, 599, 408, 429, 403] as const)
        attempts.push(await attemptsAt(status));
      return attempts;
    },
  ],
  [
    "docs/tokenization.md",
    "are tried again, at most `maxRetries` times (2).",
    2,
    async () => (await endsOfAttempts()).length - 1,
  ],
  [
    "docs/tokenization.md",
    "An attempt that others may follow gets half of the time that is left,",
    [15_000, 15_000 + 7_500],
    async () => (await endsOfAttempts()).slice(0, 2),
  ],
  [
    "docs/tokenization.md",
    "may be numbers or texts; 39 means 2039.",
    ["2039", "2039"],
    async () => [
      (await sentOf({ expirationYear: 39 }))["expirationYear"],
      (await sentOf({ expirationYear: "39" }))["expirationYear"],
    ],
  ],
  [
    "docs/tokenization.md",
    "Browsers of spring 2023 and later have what it needs: Chrome and Edge 111, Firefox 111, Safari 16.4.",
    true,
    () => isMadeFor("browser.js", "chrome111", "edge111", "firefox111", "safari16.4"),
  ],
  [
    "docs/runtimes.md",
    "The package is ESM, and its code is ES2022.",
    [true, true],
    () => Promise.all(["index.js", "node.js"].map((entry) => isMadeFor(entry, "es2022"))),
  ],
  [
    "docs/pci.md",
    "`number must have 12 to 19 digits`.",
    [true, true],
    () =>
      Promise.all(
        [11, 20].map(async (digits) => {
          const complaint = await complaintAbout({ number: "4".repeat(digits) });
          return String(complaint).includes("number must have 12 to 19 digits");
        }),
      ),
  ],
  [
    "docs/pci.md",
    "to begin with, 3 refused cards an order and 5 an hour per IP address,",
    [3, 5],
    () => [
      constantIn("examples/checkout/server/pay-by-card.ts", /const MOST_REFUSALS = (\d+);/),
      constantIn("examples/checkout/server/start-shop.ts", /refusals: new AttemptLimit\((\d+), HOUR_MS\)/),
    ],
  ],
  [
    "docs/refused-cards.md",
    "with Visa 20 tries in 30 days since May 2025,",
    ["May", "2025"],
    () =>
      /New limit for Visa retries starting (\w+) \d+, (\d+)/.exec(textOf("docs/refused-cards.md"))?.slice(1),
  ],
]);
