// What a page loads to turn a card into a token, beside other packages: bytes after bundling and compression.
// node bench/browser-bytes.ts
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import { arePeersInstalled, PEERS, printTable, printTitle } from "./helpers.ts";

const WITHOUT_BUNDLER = "payments-sdk/browser.global.js";

/** What the page imports and calls; the bundler drops the rest. */
const PAGES: Readonly<Record<string, string>> = {
  "payments-sdk/browser, whole": 'export * from "payments-sdk/browser";',
  "payments-sdk/browser, CardTokenizer": `import { CardTokenizer } from "payments-sdk/browser";
    const tokenizer = new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "pk_1" });
    export const tokenize = (card) => tokenizer.tokenize(card);`,
  "a hand-written fetch": `export async function tokenize(card) {
      const headers = { "content-type": "application/json", authorization: "Bearer pk_1" };
      const body = JSON.stringify(card);
      const response = await fetch("https://pay.example/tokens", { method: "POST", headers, body });
      if (!response.ok) throw new Error("The card was not tokenized: " + response.status);
      return response.text();
    }`,
  ky: `import ky from "ky";
    export const tokenize = (json) => ky.post("https://pay.example/tokens", { json }).text();`,
  ...(arePeersInstalled() && {
    "braintree-web, client": `import client from "braintree-web/client";
      export const tokenize = async (data) => (await client.create({ authorization: "key" }))
        .request({ endpoint: "payment_methods/credit_cards", method: "post", data });`,
  }),
};

const rows = [rowOf(WITHOUT_BUNDLER, await readFile(fileURLToPath(import.meta.resolve(WITHOUT_BUNDLER))))];
for (const [name, code] of Object.entries(PAGES)) rows.push(rowOf(name, await bundle(name, code)));
printTitle("In the browser");
printTable(["what the page loads", "minified", "brotli"], rows);

/** @throws {Error} if the bundler has an error or a warning. */
async function bundle(name: string, contents: string): Promise<Uint8Array> {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    nodePaths: [join(PEERS, "node_modules")],
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

function rowOf(name: string, code: Uint8Array): string[] {
  const brotli = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: code.length } });
  return [name, ...[code, brotli].map(({ length }) => length.toLocaleString("en"))];
}
