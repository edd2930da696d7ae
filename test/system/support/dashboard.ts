import type { Sandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { merchant } from "../../sandbox/support/wire.ts";
import { AXE, violationsInPage } from "../../support/browsing.ts";

/** Creates transactions through the API, like the backend of a merchant, and returns them. */
export function merchantOf(sandbox: Sandbox) {
  const { pix, card } = merchant(sandbox, fetch);
  const postbackUrl = `${sandbox.baseUrl}/sandbox/inbox`;
  return {
    pix: (overrides: object = {}) => pix({ postbackUrl, ...overrides }),
    card: (number?: string, overrides: object = {}) => card(number, { postbackUrl, ...overrides }),
  };
}

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim();
    });
    if (focused === name) return;
  }
  throw new Error(`Tab did not reach ${name}.`);
}

/** The accessibility violations that axe finds on a page. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(violationsInPage);
}

/** The parts of a page that scroll horizontally, the page itself included. */
export async function scrollsSideways(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("html, body, body *")]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .filter((part) => part.matches("html") || /auto|scroll/.test(getComputedStyle(part).overflowX))
      .map((part) => `${part.localName}.${part.className}`),
  );
}
