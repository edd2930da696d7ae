import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import { chromium as installed } from "../../../support/chromium.ts";
import { aCard, aCardPayment, aPix, bodyOf, merchant } from "../../support/wire.ts";

let browser: Browser;

/** One browser for the tests of a file. */
export function useBrowser(): void {
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });
  beforeAll(async () => {
    browser = await chromium.launch({ ...(await installed()), args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());
}

/** A page of a browser, and what it did behind the scenes. */
export interface Visit {
  readonly page: Page;
  /** The hosts that it asked. */
  readonly hosts: Set<string>;
  /** Errors, and whatever the browser complained of. */
  readonly complaints: string[];
}

export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).host);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, hosts, complaints };
}

export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Creates by the API, as a merchant's backend does; gives the transaction of the answer. */
export function merchantOf(sandbox: Sandbox) {
  const { create, token } = merchant(sandbox, fetch);
  const postbackUrl = `${sandbox.baseUrl}/sandbox/inbox`;
  return {
    async pix(overrides: object = {}) {
      return (await bodyOf(await create(aPix({ postbackUrl, ...overrides })))).data;
    },
    async card(number = "4111111111111111", overrides: object = {}) {
      const hash = await token(aCard({ number }));
      return (await bodyOf(await create(aCardPayment(hash, { postbackUrl, ...overrides })))).data;
    },
  };
}

/** A receiver of postbacks that says one thing. */
export async function aReceiver(status: number, answer: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`;
}
