import type { Page } from "playwright";
import { expect, test } from "vitest";
import { countSubscriptions, start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { merchantOf } from "../support/dashboard.ts";

useBrowser();

/** Chromium without a window shows all of its tabs. */
async function setVisibility(page: Page, value: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, value);
}

test("each visible tab has an event stream; a hidden tab has none, and shows what it missed", async () => {
  const sandbox = await start();
  const { secureUrl, id } = await merchantOf(sandbox).pix();
  const streams = countSubscriptions(sandbox);
  const { page: dashboard } = await visit(sandbox.baseUrl);
  const tabs = [dashboard];
  // More tabs than the six connections that a browser opens to a host.
  for (const url of [...Array(3).fill(sandbox.baseUrl), ...Array(4).fill(secureUrl)]) {
    await setVisibility(tabs.at(-1) as Page, "hidden");
    const tab = await dashboard.context().newPage();
    await tab.goto(url, { timeout: 10_000 });
    await tab.locator(`#transaction-${id}, .qr`).waitFor({ timeout: 10_000 });
    tabs.push(tab);
  }
  await expect.poll(streams).toBe(1);

  sandbox.gateway.pay(id);
  await tabs.at(-1)?.locator(".approved").waitFor({ timeout: 10_000 });
  const missed = await dashboard.locator(".approved").count();
  await setVisibility(dashboard, "visible");
  await dashboard.locator(".approved").waitFor();

  expect(missed).toBe(0);
  expect(streams()).toBe(2);
});
