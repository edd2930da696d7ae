import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import { chromium as installed } from "./chromium.ts";

let browser: Browser;

/** One browser for the tests of a file. */
export function useBrowser(): void {
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });
  beforeAll(async () => {
    browser = await chromium.launch({ ...(await installed()), args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());
}

/** A browser page, with what it requested and logged. */
export interface Visit {
  readonly page: Page;
  /** The hosts that it sent requests to. */
  readonly hosts: Set<string>;
  /** Uncaught errors, and the errors and warnings on the console. */
  readonly browserErrors: string[];
}

/** @param waitUntil - `commit` is for a page whose script is still to come. */
export async function visit(
  url: string,
  options: BrowserContextOptions = {},
  waitUntil: "load" | "commit" = "load",
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const hosts = new Set<string>();
  const browserErrors: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).host);
  });
  page.on("pageerror", (error) => browserErrors.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) browserErrors.push(message.text());
  });
  await page.goto(url, { waitUntil });
  return { page, hosts, browserErrors };
}

/** Fills in the card form of an English page. How fields are typed has tests of its own. */
export async function fillCard(page: Page, number: string, holder = "Maria Exemplo", cvv = "123") {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Name on card").fill(holder);
  await page.getByLabel("Expiry").fill("03/39");
  await page.getByLabel("CVV").fill(cvv);
}

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** An expression that defines `axe` in a page. */
export const AXE = `(() => { ${axe.source} })()`;

/** Runs in a page with {@link AXE}: its accessibility violations. */
export async function violationsInPage(): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: Axe }).axe.run();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
