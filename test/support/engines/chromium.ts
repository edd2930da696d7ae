import { chromium } from "playwright";
import { chromium as installed } from "../chromium.ts";
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
    undo: () => page.keyboard.press("Control+z"),
    redo: () => page.keyboard.press("Control+Shift+z"),
    resize: (width) => page.setViewportSize({ width, height: 900 }),
    setOffline: (isOffline) => page.context().setOffline(isOffline),
    devTools: (command, params) => devTools.send(command as "Autofill.trigger", params as never),
    close: () => browser.close(),
  };
}
