import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../support/running.ts";
import { npmInstall, succeed } from "../support/consumer.ts";
import { filesIn, sampleFor } from "./documented-site.ts";

interface Framework {
  /** The sample that is tested. */
  readonly checkout: string;
  /** Type-checks the folder. */
  readonly check: readonly [command: string, ...args: string[]];
  readonly compilerOptions?: object;
  /** The files that a page of the documentation leaves out. */
  readonly files: Readonly<Record<string, string>>;
}

const FRAMEWORKS = {
  react: {
    checkout: "checkout.tsx",
    check: ["tsc", "-p", "."],
    compilerOptions: { jsx: "react-jsx", jsxImportSource: "react" },
    files: {
      ".env": "NODE_ENV=development", // in which <StrictMode> mounts everything twice
      "main.tsx": `
        import { StrictMode } from "react";
        import { createRoot, hydrateRoot } from "react-dom/client";
        import { Checkout } from "./checkout.tsx";

        const app = document.querySelector("#app") ?? document.body;
        const page = <StrictMode><Checkout /></StrictMode>;
        const onRecoverableError = (error: unknown) => console.error(error);
        if (app.hasChildNodes()) hydrateRoot(app, page, { onRecoverableError });
        else createRoot(app).render(page);`,
      "server.tsx": `
        import { renderToString } from "react-dom/server";
        import { Checkout } from "./checkout.tsx";
        export const html = renderToString(<Checkout />);`,
    },
  },
  vue: {
    checkout: "Checkout.vue",
    check: ["vue-tsc", "-p", "."],
    files: {
      "main.ts": `
        import { createApp } from "vue";
        import Checkout from "./Checkout.vue";
        createApp(Checkout).mount("#app");`,
    },
  },
  svelte: {
    checkout: "Checkout.svelte",
    check: ["svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
    files: {
      "main.ts": `
        import { mount } from "svelte";
        import Checkout from "./Checkout.svelte";
        mount(Checkout, { target: document.querySelector("#app") ?? document.body });`,
      "vite.config.js": `
        import { svelte } from "@sveltejs/vite-plugin-svelte";
        export default { plugins: [svelte()] };`,
    },
  },
} satisfies Record<string, Framework>;

export type FrameworkName = keyof typeof FRAMEWORKS;

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title>
<main><h1>Checkout</h1><div id="app"></div></main><script type="module" src="/MAIN"></script></html>`;

const STRICT = {
  ...{
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
  },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ verbatimModuleSyntax: true, allowImportingTsExtensions: true, noEmit: true, types: ["vite/client"] },
};

/** What only these pages need. The frameworks themselves are dependencies of this project. */
const TOOLS = [
  ...["vue-tsc@3.3.14", "@vitejs/plugin-vue@6.0.11"],
  ...["svelte-check@4.7.8", "@sveltejs/vite-plugin-svelte@7.3.1"],
];

/** Inside the package, so that code can import it by its name. */
const pages = join(root, "reports/pages");

/** Installs the tools for all pages. */
export async function installFrameworkTools(): Promise<void> {
  await npmInstall(pages, "--legacy-peer-deps", "--ignore-scripts", ...TOOLS);
  rmSync(join(pages, "package.json")); // a page is part of this package
}

/** Type-checks the page of a framework, bundles it with Vite, and returns the bundle; for React also what a server sends. */
export async function buildFrameworkPage(name: FrameworkName, service: string): Promise<Map<string, string>> {
  const folder = join(pages, name);
  const { checkout, check, compilerOptions, files }: Framework = FRAMEWORKS[name];
  const [command, ...args] = check;
  const tsconfig = { compilerOptions: { ...STRICT, ...compilerOptions }, include: ["*"] };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of [
    ["index.html", HTML.replace("MAIN", name === "react" ? "main.tsx" : "main.ts")],
    ["tsconfig.json", JSON.stringify(tsconfig)],
    ...Object.entries(files),
    ...filesIn(`${name}.md`, service),
    ...[checkout, "shop.ts", "checkout.css"].map((file) => [file, sampleFor(file, service)] as const),
  ] as const) {
    writeFileSync(join(folder, file), text);
  }

  const bin = join(pages, "node_modules/.bin", command);
  await succeed(existsSync(bin) ? bin : command, args, folder);
  await succeed("vite", ["build", "--logLevel", "warn"], folder);

  const built = globSync("**/*.{html,js,css}", { cwd: join(folder, "dist") });
  const bundle = new Map(built.map((file) => [file, readFileSync(join(folder, "dist", file), "utf8")]));
  if (name === "react")
    bundle.set("server.html", await renderOnServer(folder, bundle.get("index.html") ?? ""));
  return bundle;
}

/** The page as a server of React sends it. */
async function renderOnServer(folder: string, html: string): Promise<string> {
  const outfile = join(folder, "server.mjs");
  const options = { bundle: true, format: "esm", packages: "external", loader: { ".css": "empty" } } as const;
  await build({ ...options, entryPoints: [join(folder, "server.tsx")], outfile, jsx: "automatic" });
  const rendered: { html: string } = await import(outfile);
  return html.replace('<div id="app">', `$&${rendered.html}`);
}
