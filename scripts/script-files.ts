// The files for `<script>` and `<link>`, and the hashes by which a page makes sure that it gets these files.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

/** The entries in each file. */
const SCRIPTS = {
  "browser.global.js": ["browser.ts"],
  "elements.global.js": ["browser.ts", "elements.ts"],
};

const STYLES = "elements.css";

/** Writes the files, their maps, and `sri.json` into `dist`. Paths are those of the root, where npm runs. */
export async function buildScriptFiles(): Promise<void> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const parts = "jose, Copyright (c) 2018 Filip Skokan, MIT";
  for (const [file, entries] of Object.entries(SCRIPTS)) {
    await build({
      stdin: {
        contents: entries.map((entry) => `export * from "./${entry}";`).join("\n"),
        resolveDir: "src",
        loader: "ts",
      },
      outfile: `dist/${file}`,
      bundle: true,
      minify: true,
      sourcemap: true,
      format: "iife",
      globalName: "PaymentsSDK",
      target: "es2022",
      banner: { js: `/*! payments-sdk ${version}, MIT. With parts of ${parts}. */` },
    });
  }
  await build({
    entryPoints: ["src/elements/elements.css"],
    outfile: `dist/${STYLES}`,
    bundle: true,
    minify: true,
    banner: { css: `/*! payments-sdk ${version}, MIT */` },
  });
  const files = [...Object.keys(SCRIPTS), STYLES];
  const hashes = await Promise.all(files.map(async (file) => [file, await hashOf(`dist/${file}`)]));
  await writeFile("dist/sri.json", `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
}

async function hashOf(file: string): Promise<string> {
  return `sha384-${createHash("sha384")
    .update(await readFile(file))
    .digest("base64")}`;
}
