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

interface Bundler {
  readonly name: string;
  /** Packages that npm installs. Without them, the bundler of this project is used. */
  readonly packages?: readonly string[];
  /** Arguments that bundle `shop.js`. */
  readonly args: readonly string[];
  readonly out?: string;
}

const ALWAYS: readonly Bundler[] = [
  { name: "vite", args: ["build", "--logLevel", "error"], out: "dist/out.js" },
  { name: "esbuild", args: ["shop.js", "--bundle", "--minify", "--format=esm", "--outfile=out.js"] },
];
const MATRIX: readonly Bundler[] = [
  {
    name: "webpack",
    packages: ["webpack@5.112.2", "webpack-cli@7.3.1"],
    args: [
      ...["--mode", "production", "--entry", "./shop.js"],
      ...["--output-path", ".", "--output-filename", "out.js"],
    ],
  },
  {
    name: "rollup",
    packages: ["rollup@4.67.4", "@rollup/plugin-node-resolve@16.0.3"],
    args: [
      ...["--plugin", "node-resolve={browser:true}", "--format", "es"],
      ...["--dir", "out", "--entryFileNames", "out.js", "shop.js"],
    ],
    out: "out/out.js",
  },
];

test.each(withMatrix(ALWAYS, MATRIX))(
  "a page with a script bundled by $name registers the elements, and creates a token",
  async ({ name, packages = [], args, out = "out.js" }) => {
    const folder = await project.installTools(...packages);
    writeFileSync(join(folder, "shop.js"), SHOP);
    writeFileSync(join(folder, "vite.config.js"), VITE_CONFIG);
    const bin = join(packages.length > 0 ? folder : root, "node_modules/.bin", name);
    await succeed(bin, args, folder);
    const { baseUrl, publicKey } = (await startService()).addresses;
    const page = await openPage(readFileSync(join(folder, out), "utf8"), baseUrl);

    const result = await page.evaluate(
      (args) => (globalThis as unknown as { tokenize: (...of: unknown[]) => unknown }).tokenize(...args),
      [baseUrl, publicKey, APPROVED_CARD],
    );

    expect(result).toEqual([true, "visa", false, true]);
  },
);
