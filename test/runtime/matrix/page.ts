import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright";
import { chromium as installed } from "../../support/chromium.ts";
import { onLimit } from "./limit.ts";
import { Missing } from "./row.ts";

const PAGE = `<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/page.js"></script></html>`;

/**
 * Opens a page that has one script, under a policy that forbids everything else but to call the service.
 *
 * @throws {Missing} where no Chromium can be started.
 */
export async function inPage<Result>(
  script: string,
  serviceUrl: string,
  work: (page: Page, browser: Browser) => Promise<Result>,
): Promise<Result> {
  const browser = await launch();
  const forget = onLimit(() => void browser.close());
  const server = createServer(({ url }, response) => {
    const policy = `default-src 'none'; script-src 'self'; connect-src ${serviceUrl}`;
    response.setHeader("content-security-policy", policy);
    const isScript = url === "/page.js";
    response.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
    response.end(isScript ? script : PAGE);
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await work(page, browser).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${complaints.join("\n")}`);
    });
  } finally {
    forget();
    server.close();
    server.closeAllConnections();
    await browser.close();
  }
}

async function launch(): Promise<Browser> {
  try {
    return await chromium.launch({ ...(await installed()), args: ["--no-sandbox"] });
  } catch (error) {
    throw new Missing(
      `no Chromium can be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
