// The browser entry as one file for `<script>`, and the hash by which a page makes sure that it is that file.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const FILE = "browser.global.js";

/** Writes `browser.global.js`, its map, and `sri.json` into `dist`. Paths are those of the root, where npm runs. */
export async function buildBrowserGlobal(): Promise<void> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  await build({
    entryPoints: ["src/browser.ts"],
    outfile: `dist/${FILE}`,
    bundle: true,
    minify: true,
    sourcemap: true,
    format: "iife",
    globalName: "PaymentsSDK",
    target: "es2022",
    banner: {
      js: `/*! payments-sdk ${version}, MIT. With parts of jose, Copyright (c) 2018 Filip Skokan, MIT. */`,
    },
  });
  const hash = createHash("sha384").update(await readFile(`dist/${FILE}`));
  const hashes = { [FILE]: `sha384-${hash.digest("base64")}` };
  await writeFile("dist/sri.json", `${JSON.stringify(hashes, null, 2)}\n`);
}
