import { type KeyInput, launch } from "puppeteer-core";
import type { Engine } from "./engine.ts";
import { firefox } from "./installed.ts";

/** The stock Firefox, by WebDriver BiDi: Playwright drives only its own build of Firefox. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launch({ browser: "firefox", headless: true, executablePath: firefox ?? "" });
  const page = await browser.newPage();
  const press = async (keys: string) => {
    const held = keys.split("+") as KeyInput[];
    const key = held.pop() as KeyInput;
    for (const modifier of held) await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    for (const modifier of held.reverse()) await page.keyboard.up(modifier);
  };
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    press,
    type: (text) => page.keyboard.type(text),
    click: (selector) => page.click(selector),
    back: async () => void (await page.goBack()),
    undo: () => press("Control+z"),
    redo: () => press("Control+Shift+Z"),
    resize: async (width) => {
      // Puppeteer also sets the orientation, which Firefox 140 cannot do: it rejects, although the width is set.
      await page.setViewport({ width, height: 900 }).catch(() => undefined);
      await page.waitForFunction(`innerWidth === ${width}`);
    },
    close: () => browser.close(),
  };
}
