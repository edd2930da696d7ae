import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { HOLDER, NUMBER, tracesIn } from "../../../support/canaries.ts";
import type { Tab } from "../../../support/engines/engine.ts";
import { type Arrival, startServer } from "../../../support/http-server.ts";
import { root } from "../../../support/tool.ts";
import { strictPolicy } from "../../browser/support/shop.ts";

/** A card that must not be found anywhere once its token is made. */
export const CARD = { number: NUMBER, holderName: HOLDER, expiry: "11/39", code: "831" };

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

export interface Service {
  readonly baseUrl: string;
  readonly gateway: Gateway;
  readonly arrivals: readonly Arrival[];
  /** Closes each connection without a response. */
  isOffline: boolean;
}

/** The service that the page calls. It runs until the test ends. */
async function startService(): Promise<Service> {
  const gateway = createGateway();
  const { baseUrl, arrivals } = await startServer(async ({ request, response, arrival, requestRead }) => {
    await requestRead;
    if (service.isOffline) return request.socket.destroy();
    const { method, url, body, headers } = arrival;
    const { authorization = "" } = headers;
    const result = await gateway.fetch(
      new Request(new URL(url, gateway.baseUrl), {
        method,
        headers: { "content-type": "application/json", authorization },
        ...(method === "POST" && { body }),
      }),
    );
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
  });
  const service = { baseUrl, gateway, arrivals, isOffline: false };
  return service;
}

/** A page with the strictest policy, in the tab of an engine. */
export class Shop {
  readonly tab: Tab;
  readonly service: Service;
  readonly arrivals: readonly Arrival[];

  constructor(tab: Tab, service: Service, arrivals: readonly Arrival[]) {
    this.tab = tab;
    this.service = service;
    this.arrivals = arrivals;
  }

  async setOffline(isOffline: boolean): Promise<void> {
    this.service.isOffline = isOffline;
    await this.tab.engine.setOffline?.(isOffline);
  }

  /** The bodies of the tokenizations. */
  tokenizations(): string[] {
    return this.service.arrivals.filter(isTokenization).map(({ body }) => body);
  }

  violations(): Promise<string[]> {
    return this.tab.evaluate(() => window.violations);
  }

  /** What of the card can be found in the page, its storage, its console, and in every other request. */
  async traces(): Promise<string[]> {
    const inPage = await this.tab.evaluate(() => [
      document.documentElement.outerHTML,
      location.href,
      document.cookie,
      JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]),
      ...performance.getEntries().map(({ name }) => name),
      ...[...document.forms].flatMap((form) => [...new FormData(form)].flat().map(String)),
      ...window.recorded,
    ]);
    const requests = [
      ...this.arrivals,
      ...this.service.arrivals.map((one) => (isTokenization(one) ? { ...one, body: "" } : one)),
    ];
    const text = [...inPage, JSON.stringify(requests)].join("\n").replaceAll(/eyJ[\w.-]+/g, "a token");
    const more = Object.entries(MORE_TRACES).filter(([, trace]) => trace.test(text));
    return [...tracesIn(text), ...more.map(([name]) => name)];
  }
}

const isTokenization = ({ method, url }: Arrival) =>
  method === "POST" && url.startsWith("/api/v1/card-token?");

/** Opens a page with these scripts and style sheets of `dist`. `html` gets the service and its public key. */
export async function openShop(
  tab: Tab,
  files: readonly string[],
  html: (service: Service) => string = () => "",
): Promise<Shop> {
  const service = await startService();
  const tags = files.map((file) =>
    file.endsWith(".css") ? `<link rel="stylesheet" href="/${file}">` : `<script src="/${file}"></script>`,
  );
  const page = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>Loja</title>
    <script src="/record.js"></script>${tags.join("")}</head><body><main>${html(service)}</main></body></html>`;
  const types = { css: "text/css", js: "text/javascript" };
  const { baseUrl, arrivals } = await startServer(({ request: { url = "/" }, response }) => {
    const [, extension] = /\.(css|js)$/.exec(url) ?? [];
    response.setHeader("content-type", `${types[extension as "css"] ?? "text/html"}; charset=utf-8`);
    const policy = strictPolicy(service.baseUrl).replace("form-action 'none'", "form-action 'self'");
    response.setHeader("content-security-policy", `${policy}; require-trusted-types-for 'script'`);
    response.setHeader("cache-control", "no-store");
    if (url === "/record.js") response.end(`(${record})();`);
    else response.end(extension === undefined ? page : readFileSync(join(root, "dist", url)));
  });
  await tab.engine.open(baseUrl);
  return new Shop(tab, service, arrivals);
}
