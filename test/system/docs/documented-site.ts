import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { startServer } from "../../support/http-server.ts";
import { root } from "../../support/running.ts";

/** The service's address in the documentation. */
const DOCUMENTED = "http://127.0.0.1:4010";

const TYPES: Record<string, string> = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript" };

const pageOf = (name: string, service: string) =>
  readFileSync(join(root, "docs", name), "utf8").replaceAll(DOCUMENTED, service);

export const sampleFor = (file: string, service: string) => pageOf(`samples/${file}`, service);

/** Where a page describes an app that a framework renders on a server, whose files are in folders. */
const APP_SECTION = /^## (?:Nuxt|SvelteKit)$/m;

/** The files in a page, by the names in their first lines; without those of its app. */
export function filesIn(name: string, service: string): Map<string, string> {
  const [page = ""] = pageOf(name, service).split(APP_SECTION);
  return filesOf(page, /[\w.-]+/);
}

/** The files of the app in a page. */
export function appFilesIn(name: string, service: string): Map<string, string> {
  const [, app = ""] = pageOf(name, service).split(APP_SECTION);
  return filesOf(app, /[\w./+-]+/);
}

function filesOf(text: string, name: RegExp): Map<string, string> {
  const fence = "```";
  const blocks = text.matchAll(
    RegExp(
      `^${fence}(?:html|js|ts|typescript)\\n(?:<!-- |// )(${name.source})(?: -->)?\\n(.*?)^${fence}$`,
      "gms",
    ),
  );
  return new Map(Array.from(blocks, ([, file = "", code = ""]) => [file, code]));
}

export interface SiteOptions {
  readonly service: string;
  readonly files: ReadonlyMap<string, string>;
  /** More directives for the policy. */
  readonly extraPolicy?: string;
  /**
   * Returns the response to a POST by its path and body, and to a request of a status, which has no body; without one, the
   * server closes the connection.
   */
  readonly shop?: (path: string, body: string) => Promise<object | undefined>;
}

/** Starts a shop's server with files and the policy of the documentation, and returns its address. */
export async function startDocumentedSite(options: SiteOptions): Promise<string> {
  const { service, files, extraPolicy = "", shop } = options;
  const [, policy] = /^```http\nContent-Security-Policy: (.+)\n```$/m.exec(pageOf("pci.md", service)) ?? [];
  const { baseUrl } = await startServer(async ({ request, response, arrival, requestRead }) => {
    const path = request.url ?? "";
    response.setHeader("content-security-policy", policy + extraPolicy);
    if (request.method === "POST" || path.startsWith("/status?")) {
      await requestRead;
      const result = await shop?.(path, arrival.body);
      if (result === undefined) response.destroy();
      else response.setHeader("content-type", "application/json").end(JSON.stringify(result));
      return;
    }
    const name = path === "/" ? "index.html" : path.slice(1);
    const file = files.get(name);
    // Browsers request an icon automatically.
    if (file === undefined) response.writeHead(name === "favicon.ico" ? 204 : 404).end();
    else response.setHeader("content-type", `${TYPES[extname(name)]}; charset=utf-8`).end(file);
  });
  return baseUrl;
}
