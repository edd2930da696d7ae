import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { succeed } from "../matrix/finish.ts";
import { inPage } from "../matrix/page.ts";
import type { Row } from "../matrix/row.ts";
import { startService } from "../matrix/service.ts";
import { APPROVED_CARD } from "../smoke/orders.ts";
import { exactly, VERSIONS } from "../versions.ts";

/** The script of a shop's page. */
const SHOP = `
import { CardTokenizer, cardBrand, PaymentsError } from "payments-sdk/browser";

globalThis.tokenize = async (baseUrl, publicKey, card) => {
  try {
    const token = await new CardTokenizer({ baseUrl, publicKey }).tokenize(card);
    return [cardBrand(card.number), token.isExpired(), JSON.parse(JSON.stringify(token)).length > 20];
  } catch (error) {
    return [error instanceof PaymentsError, String(error)];
  }
};
`;

interface Bundler {
  readonly name: "vite" | "esbuild" | "webpack" | "rollup";
  /** What is installed besides. */
  readonly others?: readonly ("webpack-cli" | "@rollup/plugin-node-resolve")[];
  /** Files of the project, besides the script `shop.js`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Makes `out.js` of `shop.js`. */
  readonly args: readonly string[];
  /** Default: `out.js`. */
  readonly out?: string;
}

const BUNDLERS: readonly Bundler[] = [
  {
    name: "vite",
    files: {
      "vite.config.js": `export default {
        build: { rollupOptions: { input: "shop.js", output: { entryFileNames: "out.js" } } },
      };`,
    },
    args: ["build", "--logLevel", "error"],
    out: "dist/out.js",
  },
  { name: "esbuild", args: ["shop.js", "--bundle", "--minify", "--format=esm", "--outfile=out.js"] },
  {
    name: "webpack",
    others: ["webpack-cli"],
    args: [
      "--mode",
      "production",
      "--entry",
      "./shop.js",
      "--output-path",
      ".",
      "--output-filename",
      "out.js",
    ],
  },
  {
    name: "rollup",
    others: ["@rollup/plugin-node-resolve"],
    args: ["--plugin", "node-resolve={browser:true}", "--format", "es", "--file", "out.js", "shop.js"],
  },
];

const rowOf = ({ name, others = [], files = {}, args, out = "out.js" }: Bundler): Row => ({
  name,
  group: "bundlers",
  label: name,
  version: VERSIONS[name],
  entries: ["browser"],
  run: async (workshop) => {
    const packages = [name, ...others].map((one) => exactly(one, VERSIONS[one]));
    const tool = await workshop.bring(name, packages);
    await workshop.consumer();
    for (const [file, text] of Object.entries({ "shop.js": SHOP, ...files })) {
      writeFileSync(join(tool.folder, file), text);
    }
    await succeed(tool.bin(name), args, tool.folder);
    const script = readFileSync(join(tool.folder, out), "utf8");
    await makesToken(script);
    tool.remove();
    return [
      `${script.length} bytes, ${brotliCompressSync(script).length} in brotli; a page with it made a token`,
    ];
  },
});

async function makesToken(script: string): Promise<void> {
  const service = await startService();
  try {
    const { baseUrl, publicKey } = service.address;
    const seen = await inPage(script, baseUrl, (page) =>
      page.evaluate((given) => window.tokenize(...given), [baseUrl, publicKey, APPROVED_CARD] as const),
    );
    if (JSON.stringify(seen) !== '["visa",false,true]') {
      throw new Error(`The page made no token: ${JSON.stringify(seen)}`);
    }
  } finally {
    await service.close();
  }
}

declare global {
  interface Window {
    readonly tokenize: (baseUrl: string, publicKey: string, card: object) => Promise<unknown[]>;
  }
}

export const BUNDLER_ROWS: readonly Row[] = BUNDLERS.map(rowOf);
