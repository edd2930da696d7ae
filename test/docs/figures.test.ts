import { globSync } from "node:fs";
import { join } from "node:path";
import { CardTokenizer, type PaymentsError } from "payments-sdk";
import { createGateway, FAULT_KINDS, type FaultKind } from "payments-sdk/sandbox";
import { PAGES } from "../../bench/browser-bundle/pages.ts";
import { weigh } from "../../bench/browser-bundle/weigh.ts";
import { aCard, aPix, merchantAt } from "../support/merchant.ts";
import { testClaims, textOf } from "./support/figures.ts";

/** The outcome of a create that meets a fault; nothing where the service charged nobody for it. */
async function outcomeOfCharged(kind: FaultKind): Promise<string | undefined> {
  const { faults, subscribe, chargesFor, baseUrl, secretKey, publicKey, fetch } = createGateway();
  const caller = new AbortController();
  faults.add({ on: "transactions.create", kind });
  subscribe(({ type }) => {
    // Nothing else would end it before its deadline.
    if (type === "transaction" && kind.includes("stalled")) caller.abort();
  });
  const { payments } = merchantAt(baseUrl, { secretKey, publicKey, fetch });
  const ended = await payments.transactions.createPix(aPix(), { signal: caller.signal }).then(
    () => "a result",
    (error: PaymentsError) => error.outcome,
  );
  return chargesFor("order-1").length > 0 ? ended : undefined;
}

const outcomesOfCharged = async () =>
  [...new Set(await Promise.all(FAULT_KINDS.map(outcomeOfCharged)))]
    .filter((outcome) => outcome !== undefined)
    .sort();

/** Minutes that a token is good for which says nothing of itself. */
async function lifeOfToken(): Promise<number> {
  const receivedAt = Date.now();
  const fetch = async () => new Response("tok_1");
  const tokenizer = new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "pk_1", fetch });
  const { expiresAt } = await tokenizer.tokenize(aCard());
  return Math.round((expiresAt.getTime() - receivedAt) / 60_000);
}

/** Kilobytes of a page of ours, as a browser loads it. */
async function kilobytesOf(name: string): Promise<number> {
  const page = PAGES.find((candidate) => candidate.name === name);
  if (page === undefined) throw new TypeError(`There is no page ${name}.`);
  return Math.round((await weigh(page)).brotli / 1000);
}

const kilobytesOfEntry = () => kilobytesOf("payments-sdk/browser, whole");

const sizeLimits = JSON.parse(textOf(".size-limit.json")) as {
  readonly name: string;
  readonly limit: string;
}[];

testClaims([
  [
    "README.md",
    "**unless `outcome` is `unknown` or `created`, this call charged nobody.**",
    ["a result", "created", "unknown"],
    outcomesOfCharged,
  ],
  [
    "README.pt-BR.md",
    "**a não ser que `outcome` seja `unknown` ou `created`, esta chamada não cobrou ninguém.**",
    ["a result", "created", "unknown"],
    outcomesOfCharged,
  ],
  ["README.md", "### Card tokens live five minutes, and", 5, lifeOfToken],
  ["README.pt-BR.md", "### Tokens de cartão duram cinco minutos, e", 5, lifeOfToken],
  ["docs/tokenization.md", "A token is good for five minutes, and", 5, lifeOfToken],
  ["docs/refused-cards.md", "and it lasts five minutes.", 5, lifeOfToken],
  ["README.md", "nothing but the public key. 13 kB, also as one file for `<script>`", 13, kilobytesOfEntry],
  ["README.pt-BR.md", "São 13 kB, também num único arquivo para `<script>`", 13, kilobytesOfEntry],
  [
    "docs/runtimes.md",
    "Minified, the page has 12 kB (brotli).",
    12,
    () => kilobytesOf("payments-sdk/browser, CardTokenizer alone"),
  ],
  [
    "docs/tokenization.md",
    "has at most 13,000 bytes (brotli) with everything that it needs",
    "13000 B",
    () => sizeLimits.find(({ name }) => name === "payments-sdk/browser")?.limit,
  ],
  [
    "CHANGELOG.md",
    "for all six endpoints:",
    6,
    () => /type EndpointName = ([^;]+);/.exec(textOf("api/payments-sdk.api.md"))?.[1]?.split("|").length,
  ],
  ["CHANGELOG.md", "duplicates and delays, eleven faults,", 11, () => FAULT_KINDS.length],
  [
    "CHANGELOG.md",
    "recipes for five frameworks in examples/postbacks",
    5,
    () =>
      globSync("*.ts", { cwd: join(import.meta.dirname, "../../examples/postbacks") }).filter(
        (file) => !["settle-order.ts", "signer-from-env.ts"].includes(file),
      ).length,
  ],
]);
