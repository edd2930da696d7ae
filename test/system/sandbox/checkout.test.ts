import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { axeViolations, tabTo } from "./support/accessibility.ts";
import { merchantOf } from "./support/merchants.ts";

useBrowser();

const PAY = "Pay (sandbox, no money moves)";

test("the page at secureUrl shows a pix and can pay it", async () => {
  const sandbox = await start();
  const { secureUrl, pix } = await merchantOf(sandbox).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();
  const text = await page.locator("main").innerText();
  const code = await page.locator("textarea").inputValue();
  const qrWidth = await page.locator(".qr").evaluate((image: HTMLImageElement) => image.naturalWidth);

  await page.getByRole("button", { name: PAY }).click();
  await page.getByRole("heading", { name: "Paid" }).waitFor();

  expect(text).toMatch(/no money moves\s+Loja Exemplo\s+Payment of\s+R\$\s19,90/);
  expect(code).toBe(pix.qrcodeText);
  expect(qrWidth).toBeGreaterThan(50);
  expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
});

test("a payment from elsewhere is shown without a reload", async () => {
  const sandbox = await start();
  const { id, secureUrl } = await merchantOf(sandbox).card("4000000000003220");
  const { page } = await visit(secureUrl);
  await page.getByText("The payment is being processed.").waitFor();

  sandbox.gateway.pay(id);
  sandbox.gateway.refund(id, 990);

  await page.getByRole("heading", { name: "Paid" }).waitFor();
  await page.getByText("R$\u00a09,90 was refunded.").waitFor();
});

test("a payment that cannot be paid has no button", async () => {
  const sandbox = await start();
  const { pix, card } = merchantOf(sandbox);
  const expired = await pix();
  sandbox.gateway.expire(expired.id);
  const declined = await card("4000000000009995");

  const first = await visit(expired.secureUrl);
  await first.page.getByRole("heading", { name: "Expired" }).waitFor();
  const second = await visit(declined.secureUrl);
  await second.page.getByRole("heading", { name: "Declined" }).waitFor();
  const third = await visit(`${sandbox.baseUrl}/checkout/nothing`);
  await third.page.getByText("This checkout does not exist").waitFor();

  expect(await second.page.locator(".end").innerText()).toContain("Insufficient limit");
  for (const { page } of [first, second, third]) expect(await page.getByRole("button").count()).toBe(0);
});

test("the keyboard can pay, and the result is announced", async () => {
  const sandbox = await start();
  const { secureUrl } = await merchantOf(sandbox).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();

  await tabTo(page, PAY);
  await page.keyboard.press("Enter");

  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused, { timeout: 10_000 }).toBe("Paid");
  await expect.poll(() => page.getByRole("status").innerText(), { timeout: 10_000 }).toMatch(/^Paid\./);
});

test("axe finds no violations", async () => {
  const { secureUrl } = await merchantOf(await start()).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();

  expect(await axeViolations(page)).toEqual([]);
});
