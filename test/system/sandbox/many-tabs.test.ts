import type { Page } from "playwright";
import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { merchantOf } from "./support/merchants.ts";

useBrowser();

/** Chromium without a window shows all of its tabs. */
async function setVisibility(page: Page, value: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, value);
}

/** A browser opens at most six connections to a host, in all tabs together. */
test.each([
  ["closed", (page: Page) => page.close()],
  ["hidden", (page: Page) => setVisibility(page, "hidden")],
])("eight tabs share one event stream, and another opens it when the first is %s", async (_how, end) => {
  const { gateway, ...sandbox } = await start();
  const { id, secureUrl } = await merchantOf({ gateway, ...sandbox }).pix();
  const streams = new Set<object>();
  const subscribe = gateway.subscribe.bind(gateway);
  gateway.subscribe = (listener) => {
    const unsubscribe = subscribe(listener);
    streams.add(listener);
    return () => {
      unsubscribe();
      streams.delete(listener);
    };
  };
  const { page: leader } = await visit(sandbox.baseUrl);
  await leader.getByText("Live", { exact: true }).waitFor();
  const [first] = streams;
  const tabs = [leader];
  for (const url of [...Array(4).fill(sandbox.baseUrl), ...Array(3).fill(secureUrl)]) {
    const tab = await leader.context().newPage();
    await tab.goto(url, { timeout: 10_000 });
    await tab.locator(`#transaction-${id}, .qr`).waitFor({ timeout: 10_000 });
    tabs.push(tab);
  }
  expect([...streams]).toEqual([first]);

  await end(leader);
  await expect.poll(() => streams.size === 1 && !streams.has(first ?? {}), { timeout: 10_000 }).toBe(true);
  gateway.pay(id);

  for (const tab of tabs.slice(1)) await tab.locator(".approved").waitFor({ timeout: 10_000 });
  expect(streams.size).toBe(1);
});

test("a tab that was hidden learns of an advanced clock, and that the sandbox has stopped", async () => {
  const sandbox = await start();
  const { page } = await visit(sandbox.baseUrl);
  await page.getByText("Live", { exact: true }).waitFor();
  await setVisibility(page, "hidden");
  await sandbox.gateway.clock.advance(86_400_000);
  await setVisibility(page, "visible");
  await page.getByText("The time in the sandbox is").waitFor();

  await setVisibility(page, "hidden");
  await sandbox.close();
  await setVisibility(page, "visible");

  await page.getByText("Reconnecting…").waitFor();
});
