import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { AXE, fillCard, useBrowser, violationsInPage, visit } from "../../support/browsing.ts";
import { HOLDER, NUMBER, tracesIn } from "../../support/canaries.ts";
import { freePort, root, run } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

useBrowser();

/** Starts the example, and opens the page of its shop. */
async function open() {
  const variables = { PORT: await freePort(), TMPDIR: temporaryFolder() };
  const example = run("node", ["examples/checkout.ts"], root, variables);
  onTestFinished(example.kill);
  const [, url = ""] = await example.printed(/^Shop +(http:\S+)$/m);
  const [, dashboard = ""] = await example.printed(/^Dashboard +(http:\S+)/m);
  return { example, url, dashboard, ...(await visit(url)) };
}

/** What axe finds, and whether the page scrolls sideways, on a phone and a desktop, light and dark. */
async function flaws(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found: string[] = [];
  for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      found.push(...(isTooWide ? ["scrolls sideways"] : []), ...(await page.evaluate(violationsInPage)));
    }
  }
  return found;
}

test("the checkout is accessible in every look, takes a pix that is paid in the sandbox, and Ctrl-C ends it", async () => {
  const { example, url, dashboard, page, browserErrors } = await open();
  expect(await flaws(page)).toEqual([]);

  await page.getByRole("button", { name: "Pay with pix" }).click();
  await page.locator(".payment-pix-code").waitFor();
  expect(await flaws(page)).toEqual([]);
  await fetch(`${dashboard}/sandbox/transactions/latest/pay`, { method: "POST" });

  await page.getByText("Payment confirmed").waitFor();
  await example.printed(/-pix: paid, ship it$/m);
  expect(browserErrors).toEqual([]);
  example.signal("SIGINT");
  expect(await example.ended).toBe(0);
  for (const address of [url, dashboard]) await expect(fetch(address)).rejects.toThrow();
});

test("the checkout takes a card after a declined one, and its server gets a new token for each, and logs nothing of them", async () => {
  const { example, url, page, browserErrors } = await open();
  const requests: string[] = [];
  const bodies: (string | null)[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) return;
    requests.push(request.url(), JSON.stringify(request.headers()));
    bodies.push(request.postData());
  });
  const pay = async (number: string) => {
    await fillCard(page, number, HOLDER, "831");
    await page.getByRole("button", { name: "Pay R$" }).click();
  };

  await pay("4000000000009995");
  await page.getByText("Your card was declined").waitFor();
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("autocomplete"));
  expect([focused, await page.getByLabel("CVV").inputValue()]).toEqual(["cc-number", ""]);
  await pay(NUMBER);
  await page.getByText("Paid. Thank you!").waitFor();

  await example.printed(/-card: paid, ship it$/m);
  const aToken = expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/);
  expect([bodies, new Set(bodies).size]).toEqual([[aToken, aToken], 2]);
  const printed = example.stdout() + example.stderr();
  expect(tracesIn([...requests, ...bodies, printed].join("\n"))).toEqual([]);
  expect(printed).not.toMatch(/eyJ|pbsig/);
  expect(browserErrors).toEqual([]);
});
