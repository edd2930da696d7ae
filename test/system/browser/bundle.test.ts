import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../../support/tool.ts";

/** What a bundler makes of some code that imports the package. */
async function bundleOf(code: string): Promise<string> {
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

let whole: string;
let script: string;

beforeAll(async () => {
  whole = await bundleOf('export * from "payments-sdk/browser";');
  script = readFileSync(join(root, "dist/browser.global.js"), "utf8");
});

describe.each([
  ["the bundled module", () => whole],
  ["the file for <script>", () => script],
])("%s", (_form, text) => {
  test.each([
    ["imports", /\bimport\b[^;]*["']|\brequire\(/],
    ["Basic authentication", /btoa|Basic [^\\]|authorization: ?[`"']/i],
    ["secret keys", /secretKey|sk_(?!\W)/],
    ["Node", /node:|process\.|Buffer\b/],
    ["code that a strict policy forbids", /\beval\b|new Function|Function\(/],
    ["storage", /localStorage|sessionStorage|document\.cookie|indexedDB/],
    ["a log", /console\./],
  ])("has no code for %s", (_what, pattern) => {
    expect(text()).toContain("card-token");
    expect(pattern.exec(text())?.[0]).toBeUndefined();
  });
});

test("the helpers of a card form cost nothing unless they are imported", async () => {
  const without = await bundleOf('export { CardTokenizer } from "payments-sdk/browser";');
  const luhn = await bundleOf('export { isLuhnValid } from "payments-sdk/browser";');

  expect(without.length).toBeLessThan(whole.length - 500);
  expect(luhn.length).toBeLessThan(500);
});

test("sri.json holds the hash of the file for <script>", () => {
  const hashes: unknown = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8"));

  const hash = createHash("sha384").update(script).digest("base64");
  expect(hashes).toEqual({ "browser.global.js": `sha384-${hash}` });
});
