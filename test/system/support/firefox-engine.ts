import { type KeyInput, launch } from "puppeteer-core";
import { vi } from "vitest";
import type { Engine } from "./engine.ts";
import { firefox } from "./installed-engines.ts";

/** The stock Firefox, by WebDriver BiDi: Playwright drives only its own build of Firefox. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launch({ browser: "firefox", headless: true, executablePath: firefox ?? "" });
  let page = await browser.newPage();
  const press = async (keys: string) => {
    const held = keys.split("+") as KeyInput[];
    const key = held.pop() as KeyInput;
    for (const modifier of held) await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    for (const modifier of held.reverse()) await page.keyboard.up(modifier);
  };
  return {
    open: async (url) => {
      // Puppeteer loses a tab that returned to a page that was kept: each page has its own.
      const before = page;
      page = await browser.newPage();
      await before.close();
      await page.goto(url);
    },
    evaluate: (expression) => page.evaluate(expression),
    press,
    type: (text) => page.keyboard.type(text),
    click: (selector) => page.click(selector),
    // `goBack` waits for a load, which a page that was kept does not have.
    back: async () => void (await page.evaluate("setTimeout(() => history.back())")),
    resize: async (width) => {
      // Puppeteer also sets the orientation, which Firefox 140 cannot do: it rejects, although the width is set.
      await page.setViewport({ width, height: 900 }).catch(() => undefined);
      await vi.waitUntil(async () => (await page.evaluate("innerWidth")) === width);
    },
    close: () => browser.close(),
  };
}
