import { expect, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { merchantOf, start } from "./support/merchants.ts";

useBrowser();

test("the page at secureUrl shows a pix, and pays it", async () => {
  const sandbox = await start();
  const { secureUrl, pix } = await merchantOf(sandbox).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();
  const text = await page.locator("main").innerText();
  const code = await page.locator("textarea").inputValue();
  const picture = await page.locator(".qr").evaluate((image: HTMLImageElement) => image.naturalWidth);

  await page.getByRole("button", { name: "Pay (sandbox, no money moves)" }).click();
  await page.getByRole("heading", { name: "Paid" }).waitFor();

  expect(text).toMatch(/no money moves\s+Loja Exemplo\s+Payment of\s+R\$\s19,90/);
  expect(code).toBe(pix.qrcodeText);
  expect(picture).toBeGreaterThan(50);
  expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
});

test("a payment elsewhere shows without a reload", async () => {
  const sandbox = await start();
  const { id, secureUrl } = await merchantOf(sandbox).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();

  sandbox.gateway.pay(id);

  await page.getByRole("heading", { name: "Paid" }).waitFor();
});

test.each([
  ["expire", "Expired"],
  ["cancel", "Cancelled"],
] as const)("after %s there is nothing to pay: %s", async (move, heading) => {
  const sandbox = await start();
  const { id, secureUrl } = await merchantOf(sandbox).pix();
  sandbox.gateway[move](id);
  const { page } = await visit(secureUrl);

  await page.getByRole("heading", { name: heading }).waitFor();

  expect(await page.getByRole("button").count()).toBe(0);
});

test.each([
  ["4111111111111111", "Paid", ""],
  ["4000000000009995", "Declined", "Insufficient limit"],
])("a card payment says what became of it: %s, %s", async (number, heading, reason) => {
  const sandbox = await start();
  const { secureUrl } = await merchantOf(sandbox).card(number);
  const { page } = await visit(secureUrl);

  await page.getByRole("heading", { name: heading }).waitFor();

  expect(await page.locator(".end").innerText()).toContain(reason);
});

test("a card that is being processed can be paid", async () => {
  const sandbox = await start();
  const { secureUrl } = await merchantOf(sandbox).card("4000000000003220");
  const { page } = await visit(secureUrl);
  await page.getByText("The payment is being processed.").waitFor();

  await page.getByRole("button", { name: "Pay (sandbox, no money moves)" }).click();

  await page.getByRole("heading", { name: "Paid" }).waitFor();
});

test("a part that was given back is said to be so", async () => {
  const sandbox = await start();
  const { id, secureUrl } = await merchantOf(sandbox).card();
  sandbox.gateway.refund(id, 990);
  const { page } = await visit(secureUrl);

  await page.getByRole("heading", { name: "Paid" }).waitFor();

  expect(await page.locator(".end").innerText()).toContain("R$\u00a09,90 of it were given back.");
});

test("a checkout that does not exist is said to be so", async () => {
  const sandbox = await start();
  const { page } = await visit(`${sandbox.baseUrl}/checkout/nothing`);

  await page.getByText("There is no such checkout").waitFor();
});
