import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { root } from "../../support/running.ts";
import { succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";
import { openPage } from "../support/runtime-page.ts";
import { startService } from "../support/runtime-service.ts";
import { APPROVED_CARD } from "./smoke/orders.ts";

useBrowser();
const project = useProject();

/** The script of a shop's page. */
const SHOP = `
import "payments-sdk/elements";
import { CardTokenizer, cardBrand, PaymentsError } from "payments-sdk/browser";

const names = ["payment-card-form", "payment-pix"];
globalThis.tokenize = async (baseUrl, publicKey, card) => {
  try {
    const token = await new CardTokenizer({ baseUrl, publicKey }).tokenize(card);
    const isRegistered = names.every((name) => customElements.get(name) !== undefined);
    return [isRegistered, cardBrand(card.number), token.isExpired(), JSON.parse(JSON.stringify(token)).length > 20];
  } catch (error) {
    return [error instanceof PaymentsError, String(error)];
  }
};
`;

const VITE_CONFIG = `export default {
  build: { rollupOptions: { input: "shop.js", output: { entryFileNames: "out.js" } } },
};`;

/** Name, and arguments that bundle `shop.js` into a file. Without packages for npm, that of this project is used. */
type Bundler = [name: string, args: string, out: string, packages: readonly string[]];

const ALWAYS: Bundler[] = [
  ["vite", "build --logLevel error", "dist/out.js", []],
  ["esbuild", "shop.js --bundle --minify --format=esm --outfile=out.js", "out.js", []],
];
const MATRIX: Bundler[] = [
  [
    "webpack",
    "--mode production --entry ./shop.js --output-path . --output-filename out.js",
    "out.js",
    ["webpack@5.112.2", "webpack-cli@7.3.1"],
  ],
  [
    "rollup",
    "--plugin node-resolve={browser:true} --format es --dir out --entryFileNames out.js shop.js",
    "out/out.js",
    ["rollup@4.67.4", "@rollup/plugin-node-resolve@16.0.3"],
  ],
];

test.each([...withMatrix(ALWAYS, MATRIX)])(
  "a page with a script bundled by %s registers the elements, and creates a token",
  async (name, args, out, packages) => {
    const folder = await project.installTools(...packages);
    writeFileSync(join(folder, "shop.js"), SHOP);
    writeFileSync(join(folder, "vite.config.js"), VITE_CONFIG);
    const bin = join(packages.length > 0 ? folder : root, "node_modules/.bin", name);
    await succeed(bin, args.split(" "), folder);
    const { baseUrl, publicKey } = (await startService()).addresses;
    const page = await openPage(readFileSync(join(folder, out), "utf8"), baseUrl);

    const result = await page.evaluate(
      (args) => (globalThis as unknown as { tokenize: (...of: unknown[]) => unknown }).tokenize(...args),
      [baseUrl, publicKey, APPROVED_CARD],
    );

    expect(result).toEqual([true, "visa", false, true]);
  },
);
