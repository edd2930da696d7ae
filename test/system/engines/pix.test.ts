import { expect, test } from "vitest";
import { inEachEngine, type Tab } from "../../support/engines/engine.ts";
import { axeViolations } from "./support/looks.ts";
import { ELEMENTS, openShop } from "./support/shop.ts";

declare global {
  interface Window {
    expiries: number;
  }
}

const CODE =
  "00020126360014br.gov.bcb.pix0114+551199999000052040000530398654041.005802BR5903Ana6009Sao Paulo62070503***6304E8C3";

/** Opens a page with a pix that expires in so many milliseconds. */
async function openPix(tab: Tab, expiresInMs: number, code = CODE) {
  const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
  const element = `<payment-pix code="${code}" expires-at="${expiresAt}"></payment-pix>`;
  const shop = await openShop(tab, ELEMENTS, () => element);
  await tab.evaluate(() => {
    window.expiries = 0;
    addEventListener("payment-pix-expired", () => {
      window.expiries += 1;
    });
  });
  return shop;
}

const read = (tab: Tab) =>
  tab.evaluate(() => ({
    code: document.querySelector<HTMLInputElement>(".payment-pix-code")?.value ?? "",
    hasPicture: document.querySelector(".payment-pix-picture svg") !== null,
    countdown: document.querySelector(".payment-pix-countdown")?.textContent ?? "",
    status: document.querySelector("[role=status]")?.textContent ?? "",
    expiries: window.expiries,
  }));

const OPEN = { code: CODE, hasPicture: true, status: "", countdown: expect.stringMatching(/\d:\d\d$/) };
const OVER = { code: "", hasPicture: false, countdown: "" };

inEachEngine((tab) => {
  test("the status decides what is shown", async () => {
    const shop = await openPix(tab, 3_600_000);
    const shownFor = async (status: string) => {
      await tab.evaluate(
        (value) => document.querySelector("payment-pix")?.setAttribute("status", value),
        status,
      );
      return read(tab);
    };

    expect(await shownFor("pending")).toMatchObject(OPEN);
    expect(await shownFor("approved")).toMatchObject({
      ...OVER,
      status: expect.stringContaining("confirmado"),
    });
    expect(await shownFor("processing")).toMatchObject(OPEN);
    expect(await shownFor("expired")).toMatchObject({ ...OVER, status: expect.stringContaining("expirou") });
    expect(await shownFor("refunded")).toMatchObject({ ...OVER, status: expect.stringContaining("válido") });
    expect(await shop.violations()).toEqual([]);
  });

  test.each([
    ["by the clipboard's own interface", CODE],
    ["also if the page may not use that", CODE.toLowerCase()], // not what the clipboard has from the other test
  ])("the button copies the code %s", async (_how, code) => {
    await openPix(tab, 3_600_000, code);
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
    expect((await read(tab)).status).toContain("Código copiado");
  });

  test("after a sleep of the tab the countdown goes on, and ends in one event and without the code", async () => {
    const shop = await openPix(tab, 3_600_000);
    const before = await read(tab);

    await shop.advance(3_598_000);
    await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await tab.until(() => window.expiries > 0);
    await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

    expect(before).toMatchObject({ code: CODE, countdown: expect.stringMatching(/(01:00:00|00:59:\d\d)$/) });
    expect(await read(tab)).toMatchObject({ ...OVER, expiries: 1 });
  });

  test("axe finds nothing in any look", async () => {
    await openPix(tab, 3_600_000);

    expect(await axeViolations(tab)).toEqual([]);
  });
});
