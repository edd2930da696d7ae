import { existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import type { Page } from "./pages.ts";

const BENCH = join(import.meta.dirname, "..");
const PEERS = join(BENCH, "peers");

export interface Weight {
  /** Bytes of the minified code. */
  readonly minified: number;
  /** Bytes of it after brotli, quality 11. */
  readonly brotli: number;
}

export function isHere({ among, needs }: Page): boolean {
  return among === "ours" || existsSync(join(PEERS, "node_modules", needs));
}

/** @throws {Error} where the bundler has anything to say. */
export async function weigh({ name, code, among }: Page): Promise<Weight> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: code, resolveDir: among === "ours" ? BENCH : PEERS },
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
  const [warning] = warnings;
  if (warning !== undefined) throw new Error(`${name}: ${warning.text}`);
  return weightOf(outputFiles[0]?.contents ?? new Uint8Array());
}

export function weightOf(code: Uint8Array): Weight {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: code.length,
  };
  return { minified: code.length, brotli: brotliCompressSync(code, { params }).length };
}
