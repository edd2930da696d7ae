import { chromium } from "playwright";
import { chromium as installed } from "../../support/chromium.ts";
import type { Engine } from "./engine.ts";

/** Chromium, by Playwright. */
export async function startChromium(): Promise<Engine> {
  const browser = await chromium.launch({ ...(await installed()), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const devTools = await page.context().newCDPSession(page);
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    click: (selector) => page.click(selector),
    back: async () => void (await page.goBack()),
    resize: (width) => page.setViewportSize({ width, height: 900 }),
    autofill: async (selector, card) => {
      // Only a complete Chromium has it, and not the one of npm.
      if (!(await devTools.send("Autofill.enable").catch(() => undefined))) return false;
      const expression = `document.querySelector("${selector}")`;
      const { result } = await devTools.send("Runtime.evaluate", { expression });
      const { node } = await devTools.send("DOM.describeNode", { objectId: result.objectId ?? "" });
      await devTools.send("Autofill.trigger", { fieldId: node.backendNodeId, card });
      return true;
    },
    close: () => browser.close(),
  };
}
