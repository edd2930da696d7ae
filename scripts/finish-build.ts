// Adds to dist, after tsup, what is made from its files: npm run build:js. Paths are those of the root, where npm runs.
import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build, type Metafile } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { bundle } from "./bundled-text.ts";
import { mergeChunks } from "./merge-chunks.ts";

await mergeChunks();

// The stylesheets.
await build({
  entryPoints: { elements: "src/elements/elements.css", "elements-brands": "src/elements/brands.css" },
  outdir: "dist",
  bundle: true,
  minify: true,
  banner: { css: `/*! payments-sdk ${manifest.version}, MIT */` },
});

// The hashes by which a page makes sure that it gets these files.
const files = ["browser.global.js", "elements.global.js", "elements.css", "elements-brands.css"];
const hashes = files.map((file) => {
  const hash = createHash("sha384").update(readFileSync(`dist/${file}`));
  return [file, `sha384-${hash.digest("base64")}`];
});
writeFileSync("dist/sri.json", `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);

// The licences of the packages that are compiled in, which ask to go with every copy.
const METAFILE = "dist/metafile-esm.json";
const { outputs }: Metafile = JSON.parse(readFileSync(METAFILE, "utf8"));
rmSync(METAFILE);
const sources = [
  ...Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  ...globSync("dist/*.js.map").flatMap((map): string[] => JSON.parse(readFileSync(map, "utf8")).sources),
];
const texts = sources.flatMap((source) => /^bundled-text:(.+)\?bundled$/.exec(source)?.[1] ?? []);
const sourcesOfTexts = (await Promise.all(texts.map(bundle))).flatMap(({ sources }) => sources);
const packages = [...sources, ...sourcesOfTexts].flatMap(
  (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
);
const licenses = [...new Set(packages)].sort().map((name) => {
  const folder = `node_modules/${name}`;
  const { version }: { version: string } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const [file] = globSync(`${folder}/LICEN[CS]E*`);
  if (file === undefined) throw new Error(`${name} is compiled in, and has no licence to go with it.`);
  return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`;
});
writeFileSync("dist/third-party-licenses.txt", licenses.join(`\n${"-".repeat(80)}\n\n`));
