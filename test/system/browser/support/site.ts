import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { root } from "../../../support/tool.ts";

const pages = join(import.meta.dirname, "../page");

/** How a page gets the SDK. */
export type Form = "global" | "module";

const SCRIPTS: Readonly<Record<Form, (integrity: string) => string>> = {
  global: (integrity) => `
    <script src="/browser.global.js" integrity="${integrity}" crossorigin="anonymous"></script>
    <script src="/as-global.js"></script>`,
  module: () => `<script type="module" src="/as-module.js"></script>`,
};

const dist = (file: string) => readFileSync(join(root, "dist", file), "utf8");

/** The hash that the build wrote. */
const integrityOfBuild = (): string => JSON.parse(dist("sri.json"))["browser.global.js"];

function pageOf(form: Form, integrity: string): string {
  return `<!doctype html><html lang="en"><title>A shop</title>
    <form>${["number", "holderName", "expirationMonth", "expirationYear", "cvv"]
      .map((name) => `<label>${name} <input data-field="${name}" autocomplete="off"></label>`)
      .join("")}</form>
    <output></output>${SCRIPTS[form](integrity)}</html>`;
}

/** The policy that the documentation gives for a page with a card form. */
export const strictPolicy = (service: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** A merchant's bundle: the package as it was built, by its name. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(pages, entry)],
    alias: { "payments-sdk/browser": join(root, "dist/browser.js") },
    bundle: true,
    minify: true,
    write: false,
    format: entry.startsWith("as-module") ? "esm" : "iife",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

export interface SiteOptions {
  readonly form: Form;
  readonly policy: string;
  readonly integrity?: string;
}

/** A shop's web server, with one page. */
export async function startSite({
  form,
  policy,
  integrity = integrityOfBuild(),
}: SiteOptions): Promise<string> {
  const html = pageOf(form, integrity);
  const server = createServer(async ({ url = "/" }, response) => {
    response.setHeader("content-security-policy", policy);
    const type = url === "/" ? "text/html" : "text/javascript";
    response.setHeader("content-type", `${type}; charset=utf-8`);
    if (url === "/") response.end(html);
    else if (url === "/browser.global.js") response.end(dist("browser.global.js"));
    else if (url.endsWith(".js")) response.end(await bundle(url.slice(1).replace(/\.js$/, ".ts")));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
