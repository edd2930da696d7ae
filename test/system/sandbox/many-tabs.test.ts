import type { Sandbox } from "payments-sdk/sandbox/server";
import type { BrowserContext, Page } from "playwright";
import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { merchantOf } from "./support/merchants.ts";

useBrowser();

const SLOW = { timeout: 10_000 };

/** Counts the event streams that the server has sent, and still sends. */
function countStreams({ gateway }: Sandbox): () => { opened: number; open: number } {
  const subscribe = gateway.subscribe.bind(gateway);
  const open = new Set<object>();
  let opened = 0;
  gateway.subscribe = (listener) => {
    const unsubscribe = subscribe(listener);
    open.add(listener);
    opened += 1;
    return () => {
      unsubscribe();
      open.delete(listener);
    };
  };
  return () => ({ opened, open: open.size });
}

async function open(context: BrowserContext, urls: readonly string[]): Promise<Page[]> {
  return Promise.all(
    urls.map(async (url) => {
      const page = await context.newPage();
      page.setDefaultTimeout(SLOW.timeout);
      await page.goto(url);
      return page;
    }),
  );
}

/** Chromium without a window shows all of its tabs. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

/** A browser opens at most six connections to a host, in all tabs together. */
test.each([
  ["closed", (page: Page) => page.close()],
  ["hidden", hide],
])("eight tabs share one event stream, and another opens it when the first is %s", async (_how, end) => {
  const sandbox = await start();
  const streams = countStreams(sandbox);
  const first = await merchantOf(sandbox).pix();
  const second = await merchantOf(sandbox).pix();
  const { page: leader } = await visit(sandbox.baseUrl);
  await leader.getByText("Live", { exact: true }).waitFor();
  const dashboards = await open(leader.context(), Array(4).fill(sandbox.baseUrl));
  const checkouts = await open(leader.context(), [first.secureUrl, second.secureUrl, second.secureUrl]);
  const paid = (page: Page) => page.getByRole("heading", { name: "Paid" }).waitFor();
  const approved = (id: number) => (page: Page) => page.locator(`#row-${id} .approved`).waitFor();
  for (const page of dashboards) await page.getByText("Live", { exact: true }).waitFor();
  for (const page of checkouts) await page.locator(".qr").waitFor();
  expect(streams()).toEqual({ opened: 1, open: 1 });

  sandbox.gateway.pay(first.id);
  await Promise.all([leader, ...dashboards].map(approved(first.id)));
  await Promise.all(checkouts.slice(0, 1).map(paid));
  await end(leader);
  await expect.poll(streams, SLOW).toEqual({ opened: 2, open: 1 });
  sandbox.gateway.pay(second.id);
  await Promise.all(dashboards.map(approved(second.id)));
  await Promise.all(checkouts.slice(1).map(paid));

  expect(streams()).toEqual({ opened: 2, open: 1 });
});
