import axe from "axe-core";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { aReceiver, merchantOf, start } from "./support/merchants.ts";

useBrowser();

const SCRIPT = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">";

/** The dashboard with a transaction open whose texts are long and hostile, and its checkout page. */
async function busySandbox() {
  const sandbox = await start({ company: { tradingName: `Loja ${"Comprida ".repeat(8)}` } });
  const postbackUrl = await aReceiver(500, `${SCRIPT} ${"x".repeat(300)}`);
  const { pix, card } = merchantOf(sandbox);
  await card("4000000000009995");
  const open = await pix({
    postbackUrl,
    externalRef: `${SCRIPT}-${"reference".repeat(10)}`,
    metadata: JSON.stringify(SCRIPT),
    customer: {
      name: `${SCRIPT} ${"Nome".repeat(30)}`,
      email: "ana@loja.example",
      document: { type: "cpf", number: "52998224725" },
    },
  });
  sandbox.gateway.sendPostback(open.id);
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
  await sandbox.gateway.settled();
  return { sandbox, open };
}

/** Every view, with what shows that it is there. */
const VIEWS = [
  ["the list", () => "/", "tbody tr"],
  ["a transaction", ({ id }: { id: number }) => `/#/transactions/${id}`, ".attempts pre"],
  ["the checkout", ({ secureId }: { secureId: string }) => `/checkout/${secureId}`, ".qr"],
] as const;

describe.each(VIEWS)("%s", (_name, pathOf, sign) => {
  async function look(options: Parameters<typeof visit>[1] = {}) {
    const { sandbox, open } = await busySandbox();
    const visited = await visit(`${sandbox.baseUrl}${pathOf(open)}`, options);
    await visited.page.locator(sign).first().waitFor();
    return { ...visited, sandbox };
  }

  test("asks no other host, and gives the browser nothing to complain of", async () => {
    const { sandbox, hosts, complaints } = await look();

    expect([...hosts]).toEqual([new URL(sandbox.baseUrl).host]);
    expect(complaints).toEqual([]);
  });

  test("shows markup in texts as text", async () => {
    const { page } = await look();

    expect(await page.locator("body").innerText()).toContain("<script>document.title = 'owned'</script>");
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img[src=x]").count()).toBe(0);
  });

  test("keeps the direction of a text to itself", async () => {
    const { page } = await look();

    const names = await page.locator("bdi", { hasText: "NomeNome" }).count();
    const outside = await page.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const isForeign = /NomeNome|referencereference/.test(text.textContent ?? "");
        if (isForeign && !text.parentElement?.closest("bdi, pre, textarea"))
          found.push(text.textContent ?? "");
      }
      return found;
    });

    expect(names).toBeGreaterThan(0);
    expect(outside).toEqual([]);
  });

  test.each([1280, 768, 360])("never scrolls sideways at %i pixels", async (width) => {
    const { page } = await look({ viewport: { width, height: 740 } });

    const [content, room] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });

    expect(content).toBeLessThanOrEqual(room ?? 0);
  });

  test.each(["light", "dark"] as const)("has nothing that axe finds fault with: %s", async (colorScheme) => {
    const { page } = await look({ colorScheme });

    expect(await faultsOf(page)).toEqual([]);
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    interface Axe {
      run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
    }
    const { violations } = await (window as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
  });
}

test("at 360 pixels an id stays in one piece", async () => {
  const sandbox = await start();
  const { card } = merchantOf(sandbox);
  const { id } = await card(undefined, { amount: 999_900, externalRef: "order-2026-1011" });
  sandbox.gateway.chargeback(id); // the longest status
  const { page } = await visit(sandbox.baseUrl, { viewport: { width: 360, height: 740 } });
  const link = page.getByRole("link", { name: String(id) });
  await link.waitFor();

  const lines = await link.evaluate((element) => element.getClientRects().length);

  expect(lines).toBe(1);
});

describe("the keyboard", () => {
  /** Goes on with Tab until what has the focus is called so. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent?.trim();
      });
      if (focused === name) return;
    }
    throw new Error(`Tab never came to ${name}.`);
  }

  test("opens, pays and closes a transaction, and the focus goes where one looks", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).pix();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody tr").waitFor();
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent);

    await tabTo(page, String(id));
    await page.keyboard.press("Enter");
    await expect.poll(focusedText).toBe(`Transaction ${id}`);
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await tabTo(page, "Pay");
    await page.keyboard.press("Enter");
    await page.locator(".amount .badge.approved").waitFor();
    await expect.poll(focusedText).toBe(`Transaction ${id}`); // its button is gone
    await page.keyboard.press("Escape");

    await expect.poll(focusedText).toBe(String(id));
    expect(await page.locator(".detail").count()).toBe(0);
    expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
  });

  test("pays at the checkout, and goes on from what became of it", async () => {
    const sandbox = await start();
    const { secureUrl } = await merchantOf(sandbox).pix();
    const { page } = await visit(secureUrl);
    await page.locator(".qr").waitFor();

    await tabTo(page, "Pay (sandbox, no money moves)");
    await page.keyboard.press("Enter");

    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Paid");
    await expect.poll(() => page.getByRole("status").innerText()).toMatch(/^Paid\./);
  });

  test("comes to the end of the list, and is told so", async () => {
    const sandbox = await start();
    for (let count = 0; count < 101; count += 1) await merchantOf(sandbox).pix();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody tr").nth(99).waitFor();

    await page.getByRole("button", { name: "Show older" }).focus();
    await page.keyboard.press("Enter");

    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("These are all: 101 transactions.");
  });

  test("comes to the transactions by the first stop", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator(".empty").waitFor();

    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    expect(await page.evaluate(() => document.activeElement?.id)).toBe("transactions");
  });

  test("arms a fault, and removes it", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator(".empty").waitFor();

    await tabTo(page, "Arm");
    await page.keyboard.press("Enter");

    await expect.poll(() => sandbox.gateway.faults.armed.length).toBe(1);
    await tabTo(page, "Remove charged_then_reset on transactions.create");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing is armed.").waitFor();

    expect(await page.evaluate(() => document.activeElement?.id)).toBe("faults-heading");
  });
});

describe("pages as files", () => {
  test("work under a base path, with a redirect to its slash", async () => {
    const first = await start();
    await first.close();
    const port = Number(new URL(first.baseUrl).port);
    const sandbox = await start({ port, baseUrl: `http://127.0.0.1:${port}/pay` });
    const { id } = await merchantOf(sandbox).pix();
    const { page, complaints } = await visit(sandbox.baseUrl);

    await page.getByRole("link", { name: String(id) }).click();
    await page.getByRole("link", { name: "/checkout/" }).click();

    await page.getByRole("button", { name: "Pay (sandbox, no money moves)" }).waitFor();
    expect(page.url()).toMatch(/\/pay\/checkout\//);
    expect(complaints).toEqual([]);
  });

  test.each([
    ["/", "text/html"],
    ["/checkout/x", "text/html"],
    ["/sandbox/assets/dashboard.js", "text/javascript"],
    ["/sandbox/assets/checkout.js", "text/javascript"],
    ["/sandbox/assets/styles.css", "text/css"],
  ])("%s is %s, never kept, and may load nothing from elsewhere", async (path, type) => {
    const { baseUrl } = await start();

    const response = await fetch(baseUrl + path);
    const head = await fetch(baseUrl + path, { method: "HEAD" });

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each(["/sandbox/assets/", "/sandbox/assets/app.js", "/checkout", "/checkout/a/b", "/index.html"])(
    "%s is nothing",
    async (path) => {
      const { baseUrl } = await start();

      expect((await fetch(baseUrl + path)).status).toBe(404);
    },
  );
});
