// Builds the JavaScript into dist: npm run build:js. scripts/finish-build.ts then adds what is made from these files.
import type { Plugin } from "esbuild";
import { defineConfig, type Options } from "tsup";
import manifest from "./package.json" with { type: "json" };
import { bundledTextForEsbuild } from "./scripts/bundled-text.ts";

const shared: Options = {
  target: "es2022",
  silent: true, // prints errors only
};

/**
 * Leaves Node's modules out. The command line reads them when it uses them: an `import` reads all exports of one, and with
 * them loads what nothing uses, such as the standard streams of `node:process`.
 */
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      const isCommandLine = /\/(?:src\/cli|node_modules\/commander)\//.test(importer);
      return isCommandLine ? { path, namespace: "node_modules" } : { path, external: true };
    });
    onLoad({ filter: /child_process/, namespace: "node_modules" }, () => ({
      contents: "export default {};", // for commands in programs of their own, which are not used
    }));
    onLoad({ filter: /./, namespace: "node_modules" }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== "default");
      const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => module.${name})();`);
      const module = `const module = process.getBuiltinModule(${JSON.stringify(path)});`;
      return { contents: [module, "export default module;", ...lines].join("\n") };
    });
  },
};

/**
 * The files for `import`. tsup leaves out dependencies and peers; all other packages, such as zod, are compiled in. They have
 * no source maps, because they can be read as they are: debuggers do not even use maps in node_modules by default.
 */
const modules: Options = {
  ...shared,
  metafile: true, // which packages are compiled in, for scripts/finish-build.ts
  entry: {
    index: "src/index.ts",
    browser: "src/browser.ts",
    elements: "src/elements.ts",
    "elements-react": "src/elements-react.ts",
    postbacks: "src/postbacks.ts",
    idempotency: "src/idempotency.ts",
    "idempotency-testing": "src/idempotency-testing.ts",
    testing: "src/testing.ts",
    node: "src/node.ts",
    sandbox: "src/sandbox.ts",
    "sandbox-server": "src/sandbox-server.ts",
    payments: "src/payments.ts",
    msw: "src/msw.ts",
  },
  format: "esm",
  splitting: true, // shared chunks, so that `instanceof` holds across entries
  platform: "neutral",
  external: ["payments-sdk/elements"],
  removeNodeProtocol: false, // `node:sqlite` has no other name
  esbuildPlugins: [bundledTextForEsbuild, nodeModules],
  // Chunks have new names in each build. The declarations stay. The scripts are built at the same time.
  clean: ["!**/*.d.ts*", "!*.global.*"],
  esbuildOptions(options) {
    options.logLevel = "warning"; // in spite of `silent`
    options.mainFields = ["module", "main"]; // not the `browser` versions, which tsup prefers
  },
};

/** A file for `<script>`, with all that it needs. Its name ends in `.global.js`. */
const script = (name: string, entry: string, notice = ""): Options => ({
  ...shared,
  entry: { [name]: entry },
  format: "iife",
  globalName: "PaymentsSDK",
  platform: "browser",
  minify: true,
  sourcemap: true, // with the sources, for the tools of browsers
  banner: { js: `/*! payments-sdk ${manifest.version}, MIT.${notice} */` },
});

export default defineConfig([
  modules,
  script("browser", "src/browser.ts"),
  script(
    "elements",
    "scripts/elements.global.ts",
    " With lean-qr, Copyright (c) 2021-2025 David Evans, MIT.",
  ),
]);
