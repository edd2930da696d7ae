// Builds the JavaScript of the package into dist: npm run build:js. `npm run build` also writes the declarations, by tsc.
import { chmod, readdir, rm } from "node:fs/promises";
import { build } from "esbuild";
import { bundledTextForEsbuild } from "./bundled-text.ts";
import { buildScriptFiles } from "./script-files.ts";
import { writeLicenses } from "./third-party-licenses.ts";

if (process.argv.includes("--clean")) await rm("dist", { recursive: true, force: true });
// Chunks have new names in each build. The declarations stay.
for (const file of await readdir("dist").catch(() => [])) {
  if (/\.js(\.map)?$/.test(file)) await rm(`dist/${file}`);
}

await build({
  entryPoints: {
    index: "src/index.ts",
    browser: "src/browser.ts",
    elements: "src/elements.ts",
    postbacks: "src/postbacks.ts",
    idempotency: "src/idempotency.ts",
    "idempotency-testing": "src/idempotency-testing.ts",
    node: "src/node.ts",
    sandbox: "src/sandbox.ts",
    "sandbox-server": "src/sandbox-server.ts",
    payments: "src/payments.ts",
    "payments-sandbox": "src/payments-sandbox.ts",
    msw: "src/msw.ts",
    "msw-on-node": "src/msw-on-node.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true, // shared chunks, so that `instanceof` holds across entries
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  external: ["node:*", "jose", "ky", "msw"], // everything else, such as zod, is compiled in
  plugins: [bundledTextForEsbuild],
  sourcemap: true,
  sourcesContent: false, // src is in the package
});
await chmod("dist/payments.js", 0o755);
await chmod("dist/payments-sandbox.js", 0o755);
await buildScriptFiles();
await writeLicenses();
