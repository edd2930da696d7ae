import jsqr from "jsqr";
import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { axeViolations, merchantOf, tabTo } from "../support/dashboard.ts";

useBrowser();

const SLOW = { timeout: 10_000 };

test("the page at secureUrl shows a pix, the keyboard can pay it, and this and a refund are announced", async () => {
  const sandbox = await start();
  const { id, secureUrl, pix } = await merchantOf(sandbox).pix();
  const { page } = await visit(secureUrl);
  await page.locator(".qr").waitFor();
  const text = await page.locator("body").innerText();
  const code = await page.locator("textarea").inputValue();
  const { width, height, data } = await page.locator(".qr").evaluate((image: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return { width, height, data: Array.from(context?.getImageData(0, 0, width, height).data ?? []) };
  });

  await tabTo(page, "Simulate the payment");
  await page.keyboard.press("Enter");

  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused, SLOW).toBe("Paid");
  await expect.poll(() => page.getByRole("status").innerText(), SLOW).toMatch(/^Paid\./);
  sandbox.gateway.refund(id, 990);
  await page.getByText("R$\u00a09,90 was refunded.").waitFor();
  expect(text).toMatch(/no real money[\s\S]+Loja Exemplo\s+Payment of\s+R\$\s19,90/);
  expect(code).toBe(pix.qrcodeText);
  expect(jsqr.default(Uint8ClampedArray.from(data), width, height)?.data).toBe(pix.qrcodeText);
  const black = data.flatMap((value, at) => (at % 4 === 0 && value === 0 ? [at / 4] : []));
  const edges = [black.map((pixel) => pixel % width), black.map((pixel) => Math.floor(pixel / width))].map(
    (places) => [Math.min(...places), Math.max(...places)],
  );
  expect(edges).toEqual(Array(2).fill([16, width - 17])); // a border of four modules of four pixels
  expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
});

test("a pix says until when it can be paid, and that it has expired", async () => {
  const sandbox = await start({ now: Date.parse("2026-12-04T12:00:00Z") });
  const { secureUrl } = await merchantOf(sandbox).pix({ pix: { expiresInDays: 2 } });
  const { page } = await visit(secureUrl, { timezoneId: "America/Sao_Paulo" });
  await page.getByText("Pay before 6 December 2026 at 09:00").waitFor();

  sandbox.gateway.clock.advance(2 * 86_400_000);

  await page.getByRole("heading", { name: "Expired" }).waitFor();
});

test.each(["light", "dark"] as const)(
  "in %s, each state is accessible, and only an open payment can be paid",
  async (colorScheme) => {
    const sandbox = await start();
    const { pix, card } = merchantOf(sandbox);
    const [open, declined, expired] = [await pix(), await card("4000000000009995"), await pix()];
    sandbox.gateway.expire(expired.id);
    const states = new Map([
      [open.secureUrl, "Open your bank's app"],
      [declined.secureUrl, "Reason: Insufficient limit"],
      [expired.secureUrl, "Expired"],
      [`${sandbox.baseUrl}/checkout/nothing`, "does not exist"],
    ]);
    const { page } = await visit("about:blank", { colorScheme });

    for (const [url, text] of states) {
      await page.goto(url);
      await page.getByText(text).waitFor();
      expect(await page.getByRole("button", { name: /^Simul/ }).count()).toBe(url === open.secureUrl ? 1 : 0);
      expect(await axeViolations(page)).toEqual([]);
    }
  },
);
