import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../../support/tool.ts";

const MOST_BYTES = 13_000;

interface Bundle {
  readonly text: string;
  /** The packages that are in it. */
  readonly packages: readonly string[];
}

async function bundleOf(code: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    alias: { "payments-sdk/browser": join(root, "dist/browser.js") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const inputs = Object.keys(metafile.inputs).map((path) => /node_modules\/([^/]+)/.exec(path)?.[1]);
  const packages = [...new Set(inputs.filter((name) => name !== undefined))];
  return { text: outputFiles[0]?.text ?? "", packages };
}

let whole: Bundle;
let script: string;

beforeAll(async () => {
  whole = await bundleOf('export * from "payments-sdk/browser";');
  script = readFileSync(join(root, "dist/browser.global.js"), "utf8");
});

const forms = [
  ["the bundled module", () => whole.text],
  ["the file for <script>", () => script],
] as const;

describe.each(forms)("%s", (_form, text) => {
  test(`is at most ${MOST_BYTES} bytes in brotli, with everything that it needs`, () => {
    expect(brotliCompressSync(text()).length).toBeLessThanOrEqual(MOST_BYTES);
    expect(text()).not.toMatch(/\bimport\b[^;]*["']|\brequire\(/);
  });

  test.each([
    ["Basic authentication", /btoa|Basic [^\\]|authorization: ?[`"']/i],
    ["a secret key", /secretKey|sk_(?!\W)/],
    ["Node", /node:|process\.|Buffer\b/],
    ["what a strict policy forbids", /\beval\b|new Function|Function\(/],
    ["what leaves something behind", /localStorage|sessionStorage|document\.cookie|indexedDB/],
    ["a log", /console\./],
  ])("has nothing of %s", (_what, pattern) => {
    expect(pattern.exec(text())?.[0]).toBeUndefined();
  });
});

test("nothing of another package is in it but jose", () => {
  expect(whole.packages).toEqual(["jose"]);
});

test("the helpers of a card form cost nothing unless they are imported", async () => {
  const without = await bundleOf('export { CardTokenizer } from "payments-sdk/browser";');
  const luhn = await bundleOf('export { isLuhnValid } from "payments-sdk/browser";');

  expect(without.text.length).toBeLessThan(whole.text.length - 500);
  expect(luhn.text.length).toBeLessThan(500);
});

test("sri.json holds the hash of the file for <script>", () => {
  const hashes: unknown = JSON.parse(readFileSync(join(root, "dist/sri.json"), "utf8"));

  const hash = createHash("sha384").update(script).digest("base64");
  expect(hashes).toEqual({ "browser.global.js": `sha384-${hash}` });
});
