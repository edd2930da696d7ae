import { expect, test } from "vitest";
import { inEachEngine, type Tab } from "../support/engine.ts";
import { ELEMENTS, openShop } from "../support/engine-shop.ts";
import { axeViolations } from "../support/looks.ts";

const CODE =
  "00020126360014br.gov.bcb.pix0114+551199999000052040000530398654041.005802BR5903Ana6009Sao Paulo62070503***6304E8C3";

/** Opens a page with a pix that expires in so many milliseconds. */
async function openPix(tab: Tab, expiresInMs: number, code = CODE) {
  const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
  const element = `<payment-pix code="${code}" expires-at="${expiresAt}"></payment-pix>`;
  return openShop(tab, ELEMENTS, () => element);
}

inEachEngine((tab) => {
  test.each([
    ["by the clipboard's own interface", CODE],
    ["also if the page may not use that", CODE.toLowerCase()], // not what the clipboard has from the other test
  ])("the button copies the code %s", async (_how, code) => {
    const shop = await openPix(tab, 3_600_000, code);
    await tab.evaluate((isForbidden) => {
      const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
      if (isForbidden) Object.defineProperty(navigator, "clipboard", { value: { writeText: refuse } });
      document.body.append(document.createElement("textarea"));
    }, code !== CODE);

    await tab.engine.click("payment-pix button");
    await tab.until(() => document.querySelector("[role=status]")?.textContent !== "");
    await tab.engine.click("textarea");
    await tab.press("Control+v");

    expect(await tab.evaluate(() => document.querySelector("textarea")?.value)).toBe(code);
    const status = await tab.evaluate(() => document.querySelector("[role=status]")?.textContent);
    expect(status).toContain("Código copiado");
    expect(await shop.violations()).toEqual([]);
  });

  test("axe finds nothing in any look", async () => {
    await openPix(tab, 3_600_000);

    expect(await axeViolations(tab)).toEqual([]);
  });
});
