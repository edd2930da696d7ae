import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

export interface Asset {
  readonly text: string;
  readonly type: string;
}

export type Assets = ReadonlyMap<string, Asset>;

const page = join(import.meta.dirname, "../page");

/** The files of the page: its script bundled as a shop's build would, with `payments-sdk/browser` in it. */
export async function buildAssets(): Promise<Assets> {
  const { outputFiles } = await build({
    entryPoints: [join(page, "checkout.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return new Map([
    ["checkout.js", { text: outputFiles[0]?.text ?? "", type: "text/javascript; charset=utf-8" }],
    [
      "checkout.css",
      { text: await readFile(join(page, "checkout.css"), "utf8"), type: "text/css; charset=utf-8" },
    ],
    ["shirt.svg", { text: await readFile(join(page, "shirt.svg"), "utf8"), type: "image/svg+xml" }],
  ]);
}
