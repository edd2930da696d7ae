import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type KeyInput, launch } from "puppeteer-core";
import { vi } from "vitest";
import type { Engine } from "./engine.ts";
import { firefox } from "./installed-engines.ts";

/** The stock Firefox, by WebDriver BiDi: Playwright drives only its own build of Firefox. */
export async function startFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), "payments-sdk-firefox-"));
  const browser = await launch({
    browser: "firefox",
    headless: true,
    executablePath: firefox ?? "",
    userDataDir: profile,
    extraPrefsFirefox: { "storage.sqlite.exclusiveLock.enabled": false }, // to read the form history
  });
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
    formHistory: () => {
      const path = join(profile, "formhistory.sqlite");
      if (!existsSync(path)) return [];
      const database = new DatabaseSync(path, { readOnly: true });
      const rows = database.prepare("SELECT value FROM moz_formhistory").all();
      database.close();
      return rows.map(({ value }) => String(value));
    },
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
