// The files for `<script>` and `<link>`, and the hashes by which a page makes sure that it gets these files.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

/** The entries in each file, and the packages that are compiled in. */
const SCRIPTS = {
  "browser.global.js": { entries: ["browser.ts"], notice: "" },
  "elements.global.js": {
    entries: ["browser.ts", "elements.ts"],
    notice: " With lean-qr, Copyright (c) 2021-2025 David Evans, MIT.",
  },
};

const STYLES = "elements.css";

/** Writes the files, their maps, and `sri.json` into `dist`. Paths are those of the root, where npm runs. */
export async function buildScriptFiles(): Promise<void> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  for (const [file, { entries, notice }] of Object.entries(SCRIPTS)) {
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
      banner: { js: `/*! payments-sdk ${version}, MIT.${notice} */` },
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
