import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { HOLDER, NUMBER, tracesIn } from "../../support/canaries.ts";
import { type Arrival, startServer } from "../../support/http-server.ts";
import { root } from "../../support/running.ts";
import type { Tab } from "./engine.ts";
import { strictPolicy } from "./tokenizing-shop.ts";

/** What a page loads for the elements. */
export const ELEMENTS = ["elements.css", "elements.global.js"];

/** A card that must not be found anywhere once its token is made. */
export const CARD = { number: NUMBER, holder: HOLDER, expiry: "11/39", code: "831" };

/** What the shared search for canaries does not find: this code has the three digits of its brand. */
const MORE_TRACES = { expiry: /11\s?\/\s?(20)?39|2039-11/, code: /(?<![\d.])831(?!\d)/ };

declare global {
  interface Window {
    /** What was written to the console, uncaught errors and violations of the policy. */
    recorded: string[];
    violations: string[];
  }
}

/** Runs in the page before any other script. WebKitGTK's driver cannot read the console. */
function record(): void {
  window.recorded = [];
  window.violations = [];
  for (const level of ["debug", "log", "info", "warn", "error"] as const) {
    console[level] = (...args) => window.recorded.push(args.map((arg) => `${arg} ${arg?.stack}`).join(" "));
  }
  addEventListener("error", ({ message, error }) => window.recorded.push(`${message} ${error?.stack}`));
  addEventListener("unhandledrejection", ({ reason }) => window.recorded.push(`${reason} ${reason?.stack}`));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    window.violations.push(`${effectiveDirective} ${blockedURI}`),
  );
}

/** A page in both schemes, and no button of the platform: WebKitGTK's has too little contrast in dark. */
const PAGE_STYLE = `html { background: light-dark(#fff, #16191f); }
  form > button { color: #000; background: #fff; }`;

export interface Service {
  readonly baseUrl: string;
  readonly gateway: Gateway;
  readonly arrivals: readonly Arrival[];
  /** Each response waits for it. */
  ready: Promise<void>;
  /** Answers instead of the gateway. */
  listener?: RequestListener;
}

/** The service that the page calls. It runs until the test ends. */
async function startService(): Promise<Service> {
  const gateway = createGateway();
  const { baseUrl, arrivals } = await startServer(async ({ request, response, arrival, requestRead }) => {
    await requestRead;
    await service.ready;
    if (service.listener !== undefined) return service.listener(request, response);
    const { method, url, body } = arrival;
    const { authorization = "" } = arrival.headers;
    const headers = { "content-type": "application/json", authorization };
    const init = { method, headers, ...(method === "POST" && { body }) };
    const result = await gateway.fetch(new Request(new URL(url, gateway.baseUrl), init));
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
  });
  const service: Service = { baseUrl, gateway, arrivals, ready: Promise.resolve() };
  return service;
}

const isTokenization = ({ method, url }: Arrival) =>
  method === "POST" && url.startsWith("/api/v1/card-token?");

export type Shop = Awaited<ReturnType<typeof openShop>>;

/**
 * Opens a page with the strictest policy in the tab of an engine.
 *
 * @param files - Scripts and style sheets of `dist`.
 * @param html - Gets the service that the page calls.
 */
export async function openShop(
  tab: Tab,
  files: readonly string[],
  html: (service: Service) => string | Promise<string> = () => "",
  cacheControl = "no-store",
) {
  const service = await startService();
  const tags = files.map((file) =>
    file.endsWith(".css") ? `<link rel="stylesheet" href="/${file}">` : `<script src="/${file}"></script>`,
  );
  const content = await html(service);
  const page = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>Loja</title>
    <link rel="stylesheet" href="/page.css"><script src="/record.js"></script>${tags.join("")}</head>
    <body><main><h1>Loja</h1>${content}</main></body></html>`;
  const written: Record<string, string> = { "/record.js": `(${record})();`, "/page.css": PAGE_STYLE };
  // Its form may be sent by the browser itself.
  const policy = strictPolicy(service.baseUrl).replace("form-action 'none'", "form-action 'self'");
  const types = { css: "text/css", js: "text/javascript" };
  const { baseUrl, arrivals } = await startServer(({ request: { url = "/" }, response }) => {
    const [, extension] = /\.(css|js)$/.exec(url) ?? [];
    response.setHeader("content-type", `${types[extension as "css"] ?? "text/html"}; charset=utf-8`);
    response.setHeader("content-security-policy", `${policy}; require-trusted-types-for 'script'`);
    response.setHeader("cache-control", cacheControl);
    const file = () => readFileSync(join(root, "dist", url));
    response.end(extension === undefined ? page : (written[url] ?? file()));
  });
  await tab.engine.open(baseUrl);

  return {
    service,
    /** The bodies of the tokenizations. */
    tokenizations: () => service.arrivals.filter(isTokenization).map(({ body }) => body),
    violations: () => tab.evaluate(() => window.violations),
    /** What of the card can be found in the page, its storage, its console, and in every other request. */
    traces: async () => {
      const inPage = await tab.evaluate(() => [
        document.documentElement.outerHTML,
        location.href,
        document.cookie,
        JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]),
        ...performance.getEntries().map(({ name }) => name),
        ...[...document.forms].flatMap((form) => [...new FormData(form)].flat().map(String)),
        ...window.recorded,
      ]);
      const called = service.arrivals.map((one) => (isTokenization(one) ? { ...one, body: "" } : one));
      const text = [...inPage, JSON.stringify([arrivals, called])].join("\n");
      const withoutTokens = text.replaceAll(/eyJ[\w.-]+/g, "a token");
      const more = Object.entries(MORE_TRACES).filter(([, trace]) => trace.test(withoutTokens));
      return [...tracesIn(withoutTokens), ...more.map(([name]) => name)];
    },
  };
}
