// What a page loads to turn a card into a token, beside other SDKs: bytes after bundling and compression.
// node bench/browser-bytes.ts
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { arePeersInstalled, PEERS, printTable, printTitle } from "./helpers.ts";

/** What the page imports and calls; the bundler drops the rest. */
interface Page {
  readonly name: string;
  readonly code: string;
  /** What the page loads at run time from elsewhere, which is not counted. */
  readonly loadsLater?: string;
}

const OURS: readonly Page[] = [
  { name: "payments-sdk/browser, whole", code: 'export * from "payments-sdk/browser";' },
  {
    name: "payments-sdk/browser, CardTokenizer",
    code: `import { CardTokenizer } from "payments-sdk/browser";
      const tokenizer = new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "pk_1" });
      export const tokenize = (card) => tokenizer.tokenize(card);`,
  },
  {
    name: "a hand-written fetch",
    code: `export async function tokenize(card) {
        const headers = { "content-type": "application/json", authorization: "Bearer pk_1" };
        const body = JSON.stringify(card);
        const response = await fetch("https://pay.example/tokens", { method: "POST", headers, body });
        if (!response.ok) throw new Error("The card was not tokenized: " + response.status);
        return response.text();
      }`,
  },
  {
    name: "ky",
    code: `import ky from "ky";
      export const tokenize = (json) => ky.post("https://pay.example/tokens", { json }).text();`,
  },
];

const THEIRS: readonly Page[] = [
  {
    name: "@stripe/stripe-js",
    code: `import { loadStripe } from "@stripe/stripe-js";
      export const tokenize = async (element) => (await loadStripe("pk_1")).createToken(element);`,
    loadsLater: "Stripe.js, which does the work",
  },
  {
    name: "@mercadopago/sdk-js",
    code: `import { loadMercadoPago } from "@mercadopago/sdk-js";
      export const tokenize = async (card) => {
        await loadMercadoPago();
        return new window.MercadoPago("pk_1").createCardToken(card);
      };`,
    loadsLater: "MercadoPago.js, which does the work",
  },
  {
    name: "braintree-web, client",
    code: `import client from "braintree-web/client";
      export const tokenize = async (data) => (await client.create({ authorization: "key" }))
        .request({ endpoint: "payment_methods/credit_cards", method: "post", data });`,
  },
];

const rows: string[][] = [];
for (const page of OURS) rows.push(rowOf(page, await bundle(page, import.meta.dirname)));
const SCRIPT = "payments-sdk/browser.global.js";
rows.push(
  rowOf({ name: `${SCRIPT}, for <script>` }, await readFile(fileURLToPath(import.meta.resolve(SCRIPT)))),
);
if (arePeersInstalled()) for (const page of THEIRS) rows.push(rowOf(page, await bundle(page, PEERS)));

printTitle("In the browser");
printTable(["what the page loads", "minified", "gzip", "brotli", "loads later"], rows);

/** @throws {Error} if the bundler has an error or a warning. */
async function bundle({ name, code }: Page, resolveDir: string): Promise<Uint8Array> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    write: false,
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (!file || warnings.length > 0) throw new Error(`${name}: ${warnings[0]?.text}`);
  return file.contents;
}

function rowOf({ name, loadsLater = "nothing" }: Omit<Page, "code">, code: Uint8Array): string[] {
  const brotli = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: code.length } });
  const gzip = gzipSync(code, { level: constants.Z_BEST_COMPRESSION });
  return [name, ...[code, gzip, brotli].map(({ length }) => length.toLocaleString("en")), loadsLater];
}
