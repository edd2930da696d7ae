import { join } from "node:path";
import { build } from "esbuild";
import type { Page as BrowserPage } from "playwright";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { start } from "../sandbox/support/running.ts";
import { fillCard, useBrowser, visit } from "../support/browsing.ts";
import { aGate, startServer } from "../support/http-server.ts";
import { root } from "../support/running.ts";
import { PAGE_NAMES, Page, type PageName } from "./support/react-page.tsx";

useBrowser();

const files = new Map<string, string>();
beforeAll(async () => {
  const entryPoints = [
    join(import.meta.dirname, "support/react-page-in-browser.tsx"),
    join(root, "src/elements/elements.css"),
  ];
  const options = { bundle: true, format: "esm", jsx: "automatic", write: false, outdir: "/" } as const;
  // Warnings of React are only in its development build.
  const { outputFiles } = await build({
    ...options,
    entryPoints,
    define: { "process.env.NODE_ENV": '"development"' },
  });
  for (const { path, text } of outputFiles) files.set(path.endsWith("css") ? "/page.css" : "/page.js", text);
});

const SERVICE = { baseUrl: "http://127.0.0.1:9", publicKey: "pk_1" };

interface Options {
  readonly lang?: string;
  readonly width?: number;
  readonly service?: { readonly baseUrl: string; readonly publicKey: string };
}

/** Opens a page that a server has rendered. Its script arrives when `sendScript` is called. */
async function open(name: PageName, { lang = "pt", width = 1280, service = SERVICE }: Options = {}) {
  const script = aGate();
  const statusRequests: string[] = [];
  const props = { name, lang, baseUrl: service.baseUrl, publicKey: service.publicKey };
  const { baseUrl } = await startServer(async ({ request, response }) => {
    const file = files.get(request.url ?? "");
    if (request.url === "/page.js") await script.passed;
    if (request.url === "/status") {
      statusRequests.push(request.url);
      response.end('{"status":"pending"}');
      return;
    }
    if (request.url === "/page.css") response.setHeader("content-type", "text/css");
    else response.setHeader("content-type", file === undefined ? "text/html" : "text/javascript");
    response.end(
      file ??
        `<!doctype html><html lang="${lang}"><meta charset="utf-8"><link rel="icon" href="data:,">
        <link rel="stylesheet" href="/page.css"><script async type="module" src="/page.js"></script>
        <main data-props='${JSON.stringify(props)}'>${renderToString(createElement(Page, props))}</main><p id="below">below</p>`,
    );
  });
  const { page, browserErrors } = await visit(baseUrl, { viewport: { width, height: 900 } }, "commit");
  await page.locator("#below").waitFor();
  return { page, browserErrors, statusRequests, sendScript: script.open };
}

/** Where what follows the component begins. */
const topBelow = (page: BrowserPage) =>
  page.locator("#below").evaluate((below) => below.getBoundingClientRect().top);

/** The sum of the layout shifts that the browser reports. */
const layoutShiftIn = (page: BrowserPage) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const values: number[] = [];
        const observer = new PerformanceObserver(() => undefined);
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            for (const entry of observer.takeRecords())
              values.push((entry as unknown as { value: number }).value);
            resolve(values.reduce((sum, value) => sum + value, 0));
          }),
        );
      }),
  );

test.each(
  PAGE_NAMES.flatMap((name) =>
    ["pt", "en"].flatMap((lang) => [360, 1280].map((width) => [name, lang, width] as const)),
  ),
)(
  "%s, in %s, on a screen of %d px, moves nothing when the browser takes it over from the server",
  async (name, lang, width) => {
    const { page, browserErrors, sendScript } = await open(name, { lang, width });
    const before = await topBelow(page);

    sendScript();

    await page.locator("payment-card-form, payment-pix").first().waitFor({ state: "attached" });
    expect(await topBelow(page)).toBe(before);
    expect(await layoutShiftIn(page)).toBe(0);
    expect(browserErrors).toEqual([]);
  },
);

const fillIn = (page: BrowserPage) => fillCard(page, "4111111111111111");

const logIn = (page: BrowserPage) => page.locator("pre").textContent();

test("in strict mode, a submit creates one token, and each event is dispatched once", async () => {
  const service = await start();
  const { page, browserErrors, sendScript } = await open("the card form", { lang: "en", service });
  sendScript();

  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();

  await expect.poll(() => logIn(page)).toBe("token ey\nsubmitted ey");
  expect(browserErrors).toEqual([]);
});

test("a buyer who goes to another page of the app in the middle of a submit finds an empty form on return, and can pay", async () => {
  const service = await start();
  service.gateway.faults.add({ on: "cardTokens.create", kind: "stalled_body" });
  const { page, browserErrors, sendScript } = await open("the card form", { lang: "en", service });
  sendScript();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
  await page.locator("payment-card-form[busy]").waitFor();

  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Return" }).click();

  expect(await page.getByLabel("Card number").inputValue()).toBe("");
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
  await expect.poll(() => logIn(page)).toBe("token ey\nsubmitted ey");
  expect(browserErrors).toEqual([]);
});

test("in an app that keeps the page that the buyer has left, the card is cleared, and the pix asks only while it is shown", async () => {
  const { page, statusRequests, sendScript } = await open("an app that keeps its pages", { lang: "en" });
  sendScript();
  await fillIn(page);
  await expect.poll(() => statusRequests.length).toBe(1);

  await page.getByRole("button", { name: "Leave" }).click();

  const inputs = page.locator("payment-card-form input");
  expect(await inputs.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))).toEqual([
    "",
    "",
    "",
    "",
  ]);
  expect(await page.locator("payment-pix").getAttribute("status-url")).toBeNull();
  const asked = statusRequests.length;
  await page.getByRole("button", { name: "Return" }).click();
  await expect.poll(() => statusRequests.length).toBeGreaterThan(asked);
});
