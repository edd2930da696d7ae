import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { CardParams } from "payments-sdk/browser";
import { expect } from "vitest";
import { visit } from "../../support/browsing.ts";
import { CVV, HOLDER, NUMBER, tracesIn } from "../../support/canaries.ts";
import { startServer } from "../../support/http-server.ts";
import { root } from "../../support/running.ts";
import type { PlainOptions } from "./tokenizing-page.ts";

export const CANARY_CARD: CardParams = {
  number: NUMBER,
  holderName: HOLDER,
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: CVV,
};

/** How a page loads the SDK. */
export type Form = "global" | "module";

/** How a script of the shop loads the SDK, by its path. */
const SDK: Readonly<Record<string, string>> = {
  "/page-global.js": "",
  "/page-module.js": 'import * as PaymentsSDK from "payments-sdk/browser";',
  "/worker-global.js": 'importScripts("/browser.global.js");',
  "/worker-module.js": 'import * as PaymentsSDK from "payments-sdk/browser";',
};

const dist = (file: string) => readFileSync(join(root, "dist", file), "utf8");

function htmlOf(form: Form): string {
  const integrity = JSON.parse(dist("sri.json"))["browser.global.js"];
  const tags = {
    global: `<script src="/browser.global.js" integrity="${integrity}" crossorigin="anonymous"></script>
      <script src="/page-global.js"></script>`,
    module: '<script type="module" src="/page-module.js"></script>',
  };
  const inputs = Object.keys(CANARY_CARD).map((name) => `<input name="${name}" autocomplete="off">`);
  return `<!doctype html><title>A shop</title><form>${inputs.join("")}</form>${tags[form]}`;
}

/** The policy that the documentation recommends for a page with a card form. */
export const strictPolicy = (service: string): string =>
  [
    ...["default-src 'none'", "script-src 'self'", "worker-src 'self'", "style-src 'self'"],
    ...["img-src 'self' data:", `connect-src 'self' ${service}`, "base-uri 'none'"],
    ...["form-action 'none'", "frame-ancestors 'none'"],
  ].join("; ");

/** Opens a shop's page for a service. */
export async function openShop(service: string, form: Form, policy = strictPolicy(service)) {
  const { baseUrl } = await startServer(async ({ request: { url = "/" }, response }) => {
    response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", `text/${url === "/" ? "html" : "javascript"}; charset=utf-8`);
    if (url === "/") response.end(htmlOf(form));
    else response.end(url === "/browser.global.js" ? dist("browser.global.js") : await bundle(url));
  });
  const { page } = await visit("about:blank");
  const logged: Promise<string>[] = [];
  page.on("console", (message) => {
    logged.push(Promise.resolve(message.text()));
    for (const arg of message.args()) logged.push(arg.evaluate(unfold).catch(() => ""));
  });
  page.on("pageerror", (error) => logged.push(Promise.resolve(`${error.message}\n${error.stack}`)));
  await page.goto(baseUrl);

  const tokenize = (options?: PlainOptions) =>
    page.evaluate(([args, card]) => window.tokenize(args, card), [
      { baseUrl: service, publicKey: "pk_test_1", timeout: 20_000, ...options },
      CANARY_CARD,
    ] as const);
  /** Card data that is exposed in the console, the DOM, the storage or the URL. */
  const traces = async () => {
    const visible = await page.evaluate(() => [
      document.documentElement.outerHTML,
      location.href,
      document.cookie,
      JSON.stringify({ ...localStorage, ...sessionStorage }),
      JSON.stringify(performance.getEntries().map(({ name }) => name)),
    ]);
    return tracesIn([...visible, ...(await Promise.all(logged))].join("\n"));
  };
  /** Tokenizes a card. The call has to fail without exposing card data. */
  const failure = async (options?: PlainOptions) => {
    const { error } = await tokenize(options);
    if (error === undefined) throw new Error("The call did not fail.");
    expect(await traces()).toEqual([]);
    return error;
  };
  return { page, tokenize, failure, traces };
}

/** Bundles a merchant's script with the built package. */
async function bundle(path: string): Promise<string> {
  const start = path.startsWith("/page") ? "startPage" : "startWorker";
  const contents = `import { ${start} } from "./tokenizing-page.ts"; ${SDK[path]} ${start}(PaymentsSDK);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    alias: { "payments-sdk/browser": join(root, "dist/browser.js") },
    bundle: true,
    minify: true,
    write: false,
    format: path === "/page-module.js" ? "esm" : "iife",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs in the page: every string that can be reached from a value, including non-enumerable members. */
function unfold(value: unknown): string {
  const seen = new Set<unknown>();
  const textOf = (part: unknown): string => {
    if (typeof part !== "object" || part === null || seen.has(part)) return String(part);
    seen.add(part);
    const names = Object.getOwnPropertyNames(part);
    const members =
      part instanceof Headers ? [...part] : names.map((name) => [name, Reflect.get(part, name)]);
    return [part, ...members.map(([name, member]) => `${name}: ${textOf(member)}`)].join("\n");
  };
  return `${textOf(value)}\n${JSON.stringify(value)}`;
}
