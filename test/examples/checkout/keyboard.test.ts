import type { Page } from "playwright";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, goShopping, REFUSED } from "./support/shopping.ts";

useBrowser();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

/** Tab until an element has the focus: whatever stands between may be passed, and nothing holds the buyer back. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; (await focused(page)) !== id; presses += 1) {
    if (presses > 20) throw new Error(`Tab does not lead to ${id}.`);
    await page.keyboard.press("Tab");
  }
}

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, text] of Object.entries(fields)) {
    await tabTo(page, id);
    await page.keyboard.type(text);
  }
}

const BUYER = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: "52998224725",
};
const CARD = { number: APPROVED, holderName: "MARIA EXEMPLO", expiry: "1239", cvv: "123" };

test("a card pays from the top of the page to the end without a mouse", async () => {
  const { page, ...shopping } = await goShopping({ query: "" });

  await fillIn(page, { ...BUYER, ...CARD });
  await tabTo(page, "pay-card");
  await page.keyboard.press("Enter");

  await shopping.reads("Pagamento confirmado");
  expect(await focused(page)).toBe("result-title");
});

test("arrows choose between card and pix, and a pix needs no mouse either", async () => {
  const { page, ...shopping } = await goShopping();
  await tabTo(page, "tab-card");

  for (const [key, tab, panel] of [
    ["ArrowRight", "tab-pix", "panel-pix"],
    ["ArrowRight", "tab-card", "panel-card"],
    ["ArrowLeft", "tab-pix", "panel-pix"],
    ["Home", "tab-card", "panel-card"],
    ["End", "tab-pix", "panel-pix"],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused(page)).toBe(tab);
    expect(await page.locator("[role=tab][aria-selected=true]").getAttribute("id")).toBe(tab);
    expect(await page.locator("[role=tabpanel]:visible").getAttribute("id")).toBe(panel);
  }
  await tabTo(page, "pay-pix");
  await page.keyboard.press("Enter");

  await shopping.reads("Pague com Pix");
  expect(await focused(page)).toBe("pix-title");
});

test("a refused card leaves the focus where it was, so that the next one can be typed", async () => {
  const { page, ...shopping } = await goShopping();
  await shopping.typeCard(REFUSED);
  await page.locator("#cvv").focus();
  await tabTo(page, "pay-card");

  await page.keyboard.press("Enter");
  await page.getByText("Pagamento recusado.").waitFor();

  await expect.poll(() => focused(page)).toBe("pay-card");
});

test("arrows do not lead to the card while a pix is open", async () => {
  const { page, ...shopping } = await goShopping();
  await page.getByRole("tab", { name: "Pix" }).click();
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await shopping.reads("Pague com Pix");

  await page.getByRole("tab", { name: "Pix" }).press("ArrowLeft");

  expect(await page.getByAltText("QR code do Pix").isVisible()).toBe(true);
});
