import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../../support/running.ts";

/** Bundles code that imports the package. */
async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    alias: { "payments-sdk/browser": join(root, "dist/browser.js") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

let allExports: string;
let script: string;
let elements: string;

beforeAll(async () => {
  allExports = await bundle('export * from "payments-sdk/browser";');
  script = readFileSync(join(root, "dist/browser.global.js"), "utf8");
  elements = readFileSync(join(root, "dist/elements.global.js"), "utf8");
});

describe.each([
  ["the bundled module", () => allExports],
  ["the file for <script>", () => script],
  ["the file with the elements", () => elements],
])("%s", (_form, text) => {
  test.each([
    ["imports", /\bimport\b[^;]*["']|\brequire\(/],
    ["Basic authentication", /btoa|Basic [^\\]|authorization: ?[`"']/i],
    ["secret keys", /secretKey|sk_(?!\W)/],
    ["Node", /node:|process\.|Buffer\b/],
    ["code that a strict policy forbids", /\beval\b|new Function|Function\(/],
    ["storage", /localStorage|sessionStorage|document\.cookie|indexedDB/],
    ["logging", /console\.(?!warn\("payments-sdk: <payment-card-form> gets no token)/],
    [
      "HTML from strings",
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setAttribute\("style"|\.style\b/,
    ],
  ])("has no code for %s", (_what, pattern) => {
    expect(text()).toContain("card-token");
    expect(pattern.exec(text())?.[0]).toBeUndefined();
  });
});

test("the helpers of a card form are not bundled unless they are imported", async () => {
  const without = await bundle('export { CardTokenizer } from "payments-sdk/browser";');
  const luhn = await bundle('export { isLuhnValid } from "payments-sdk/browser";');

  expect(without.length).toBeLessThan(allExports.length - 500);
  expect(luhn.length).toBeLessThan(500);
});

test("sri.json contains the hash of each file for <script> and <link>", () => {
  const hashes: unknown = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8"));

  const hashOf = (file: string) => {
    const content = readFileSync(join(root, "dist", file));
    return `sha384-${createHash("sha384").update(content).digest("base64")}`;
  };
  const files = ["browser.global.js", "elements.global.js", "elements.css", "elements-brands.css"];
  expect(hashes).toEqual(Object.fromEntries(files.map((file) => [file, hashOf(file)])));
});
