import { defineConfig } from "tsup";
import { buildBrowserGlobal } from "./scripts/browser-global.ts";
import { bundledTextForEsbuild } from "./scripts/bundled-text.ts";
import { writeLicenses } from "./scripts/third-party-licenses.ts";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    browser: "src/browser.ts",
    postbacks: "src/postbacks.ts",
    idempotency: "src/idempotency.ts",
    node: "src/node.ts",
    sandbox: "src/sandbox.ts",
    "sandbox-server": "src/sandbox-server.ts",
    "payments-sandbox": "src/payments-sandbox.ts",
    msw: "src/msw.ts",
    "msw-on-node": "src/msw-on-node.ts",
  },
  esbuildPlugins: [bundledTextForEsbuild],
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [/^node:/, /^msw(\/|$)/], // msw is an optional peer, and would be bundled like a devDependency
  removeNodeProtocol: false, // `node:sqlite` and friends have no name without it
  splitting: true, // shared chunks, so that `instanceof` holds across entries
  sourcemap: true,
  esbuildOptions(options) {
    options.sourcesContent = false; // src is in the package
  },
  treeshake: false,
  clean: true,
  dts: false, // tsc writes the declarations, see the "build" script
  onSuccess: async () => {
    await buildBrowserGlobal();
    await writeLicenses();
  },
});
