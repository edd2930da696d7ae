import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** How the page loads the SDK: as the file for `<script>`, or in the merchant's bundle. */
export type Form = "a script tag" | "a bundler";

/** The service's address in the documentation. */
const DOCUMENTED = "http://127.0.0.1:4010";

const pageOf = (name: string): string => readFileSync(join(root, "docs", name), "utf8");

/** The files in a page, by the names in their first lines. */
function filesIn(page: string): Map<string, string> {
  const blocks = page.matchAll(/^```(?:html|js)\n(?:<!-- |\/\/ )([\w.-]+)(?: -->)?\n(.*?)^```$/gms);
  return new Map(Array.from(blocks, ([, name = "", code = ""]) => [name, code]));
}

/** Applies the changes that the page documents for a bundler. */
async function convertToBundle(files: Map<string, string>): Promise<void> {
  const html = files.get("checkout.html") ?? "";
  files.set(
    "checkout.html",
    html.replace(/^<script src="\/browser.*\n/m, "").replace("<script src", '<script type="module" src'),
  );
  const { outputFiles } = await build({
    stdin: {
      contents: (files.get("checkout.js") ?? "")
        .replace("const {", "import {")
        .replace("= PaymentsSDK", 'from "payments-sdk/browser"'),
      resolveDir: root,
    },
    alias: { "payments-sdk/browser": join(root, "dist/browser.js") },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  files.set("checkout.js", outputFiles[0]?.text ?? "");
}

export interface SiteOptions {
  readonly service: string;
  readonly form?: Form;
  /** More directives for the policy. */
  readonly extraPolicy?: string;
  /** Handles the body of POST /pay; without a result, the server closes the connection. */
  readonly pay?: (body: string) => Promise<object | undefined>;
}

/** Starts a shop's server with the files and the policy of the documentation, and returns its address. */
export async function startDocumentedSite(options: SiteOptions): Promise<string> {
  const { service, form = "a script tag", extraPolicy = "", pay } = options;
  const files = filesIn(pageOf("tokenization.md").replaceAll(DOCUMENTED, service));
  const [, policy] =
    /^```http\nContent-Security-Policy: (.+)\n```$/m.exec(pageOf("pci.md").replaceAll(DOCUMENTED, service)) ??
    [];
  if (form === "a bundler") await convertToBundle(files);
  files.set("browser.global.js", readFileSync(join(root, "dist/browser.global.js"), "utf8"));

  const server = createServer(async (request, response) => {
    response.setHeader("content-security-policy", policy + extraPolicy);
    if (request.method === "POST") {
      const result = await pay?.(await text(request));
      if (result === undefined) response.destroy();
      else response.setHeader("content-type", "application/json").end(JSON.stringify(result));
      return;
    }
    const name = request.url === "/" ? "checkout.html" : (request.url?.slice(1) ?? "");
    const type = name.endsWith(".html") ? "text/html" : "text/javascript";
    const file = files.get(name);
    // Browsers request an icon automatically.
    if (file === undefined) response.writeHead(name === "favicon.ico" ? 204 : 404).end();
    else response.setHeader("content-type", `${type}; charset=utf-8`).end(file);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
