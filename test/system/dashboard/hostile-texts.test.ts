import { expect, test } from "vitest";
import { startReceiver } from "../../sandbox/support/postback-receiver.ts";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { axeViolations, merchantOf, scrollsSideways } from "../support/dashboard.ts";

useBrowser();

const SCRIPT = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">";

/** A sandbox with a pix that has long and hostile texts, a failed postback, and an armed fault. */
async function busySandbox() {
  const sandbox = await start({ company: { tradingName: `Loja ${"Comprida ".repeat(8)}` } });
  const receiver = await startReceiver((response) =>
    response.writeHead(500).end(`${SCRIPT} ${"x".repeat(300)}`),
  );
  const { pix, card } = merchantOf(sandbox);
  await card("4000000000009995");
  const open = await pix({
    postbackUrl: receiver.url,
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

/** Every view, with an element that shows that it is loaded. */
test.each([
  ["the list", () => "/", "tbody tr"],
  ["a transaction", ({ id }: { id: number }) => `/#/transactions/${id}`, ".attempt pre"],
  ["a request", () => "/#/requests/3", ".detail pre"],
  ["the checkout", ({ secureId }: { secureId: string }) => `/checkout/${secureId}`, ".qr"],
] as const)(
  "%s shows hostile texts as text, requests no other host and fits a phone",
  async (_name, pathOf, sign) => {
    const { sandbox, open } = await busySandbox();
    const { page, hosts, browserErrors } = await visit(`${sandbox.baseUrl}${pathOf(open)}`, {
      viewport: { width: 360, height: 740 },
      colorScheme: "dark",
    });
    await page.locator(sign).first().waitFor();

    expect(await page.locator("body").innerText()).toContain("<script>document.title = 'owned'</script>");
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img[src=x]").count()).toBe(0);
    expect([...hosts]).toEqual([new URL(sandbox.baseUrl).host]);
    expect(browserErrors).toEqual([]);
    expect(await scrollsSideways(page)).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
  },
);
