import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { aReceiver, merchantOf, start } from "./support/merchants.ts";

useBrowser();

async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Answers the requests whose address has a part, and holds the answers back, as on a slow way. */
async function holdBack(page: Page, part: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(
    ({ href }) => href.includes(part),
    async (route) => {
      const response = await route.fetch();
      arrive();
      await released;
      await route.fulfill({ response });
    },
  );
  return { arrived, release };
}

describe("the list", () => {
  test("tells a newcomer what to do, with the address and the keys", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);

    const command = await page.locator(".empty code").innerText();

    expect(command).toContain(`curl ${sandbox.baseUrl}/api/v1/transactions`);
    expect(command).toContain(`-u ${sandbox.secretKey}:${sandbox.publicKey}`);
  });

  test("shows what is created by the API without a reload, newest first", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator(".empty").waitFor();
    const first = await merchantOf(sandbox).pix({ externalRef: "order-7" });
    const second = await merchantOf(sandbox).card("4000000000000002", { amount: 123_456 });
    await page.locator("tbody tr").nth(1).waitFor();

    const rows = await page.locator("tbody tr").allInnerTexts();

    expect(rows[0]).toMatch(new RegExp(`^${second.id}\\s+refused\\s+R\\$\\s1\\.234,56\\s+card\\s+order-1`));
    expect(rows[1]).toMatch(new RegExp(`^${first.id}\\s+pending\\s+R\\$\\s19,90\\s+pix\\s+order-7`));
  });

  test("follows every change of a status", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).pix();
    const { page } = await visit(sandbox.baseUrl);
    await page.getByRole("cell", { name: "pending" }).waitFor();

    sandbox.gateway.pay(id);

    await page.getByRole("cell", { name: "approved" }).waitFor();
  });

  test("shows a hundred, and older ones on request", async () => {
    const sandbox = await start();
    for (let count = 0; count < 130; count += 1) await merchantOf(sandbox).pix();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody tr").nth(99).waitFor();
    const before = await page.locator("tbody tr").count();

    await page.getByRole("button", { name: "Show older" }).click();
    await page.locator("tbody tr").nth(129).waitFor();

    expect(before).toBe(100);
    const ids = await page.locator("tbody tr td:first-child a").allInnerTexts();
    expect(ids.map(Number)).toEqual(sandbox.gateway.transactions.map(({ id }) => id).toReversed());
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0);
  });

  test("stays at a hundred rows while a burst comes in", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator(".empty").waitFor();
    const { pix } = merchantOf(sandbox);
    await Promise.all(Array.from({ length: 300 }, () => pix()));
    const newest = sandbox.gateway.transactions.at(-1)?.id;

    await page.locator(`#row-${newest}`).waitFor();

    await expect.poll(() => page.locator("tbody tr").count()).toBe(100);
    await page.getByRole("button", { name: "Show older" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(200);
  });

  test("loses nothing that happens while it is on its way", async () => {
    const sandbox = await start();
    const { pix } = merchantOf(sandbox);
    for (let count = 0; count < 110; count += 1) await pix();
    const [first] = sandbox.gateway.transactions;
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody tr").nth(99).waitFor();

    const { arrived, release } = await holdBack(page, "before=");
    await page.getByRole("button", { name: "Show older" }).click();
    await arrived;
    const newest = await pix();
    sandbox.gateway.pay(first?.id ?? 0);
    await page.locator(`#row-${newest.id}`).waitFor();
    release();
    await page.locator("tbody tr").nth(110).waitFor();

    expect(await page.locator("tbody tr").count()).toBe(111);
    expect(await page.locator("tbody tr").last().innerText()).toContain("approved");
  });

  test("listens only while it can be seen, then catches up and shows as many as before", async () => {
    const sandbox = await start();
    const { pix } = merchantOf(sandbox);
    for (let count = 0; count < 130; count += 1) await pix();
    const { page } = await visit(sandbox.baseUrl);
    await page.getByRole("button", { name: "Show older" }).click();
    await page.locator("tbody tr").nth(129).waitFor();

    const closed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/sandbox/events"));
    await setVisibility(page, "hidden");
    await closed;
    const { id } = await pix();
    await setVisibility(page, "visible");

    await page.locator(`#row-${id}`).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(131);
  });

  test("comes back by itself after the sandbox was away", async () => {
    const first = await start();
    const { page } = await visit(first.baseUrl);
    await page.getByText("Live", { exact: true }).waitFor();
    await first.close();
    await page.getByText("Reconnecting…").waitFor();
    const second = await start({ port: Number(new URL(first.baseUrl).port) });
    const { id } = await merchantOf(second).pix();

    await page.locator(`#row-${id}`).waitFor();

    await page.getByText("Live", { exact: true }).waitFor();
  });
});

describe("a transaction", () => {
  test("opens by a click anywhere in its row", async () => {
    const sandbox = await start();
    const { pix } = merchantOf(sandbox);
    const { id } = await pix();
    await pix();
    const { page } = await visit(sandbox.baseUrl);

    await page.locator(`#row-${id} td`).last().click({ force: true }); // where it lies, the link lies above it

    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    expect(page.url()).toContain(`/transactions/${id}`);
  });

  test("is paid by a click: status, timeline and the delivery with the receiver's answer show", async () => {
    const sandbox = await start();
    const postbackUrl = await aReceiver(202, "thank you");
    const { id } = await merchantOf(sandbox).pix({ postbackUrl });
    const { page } = await visit(sandbox.baseUrl);
    await page.getByRole("link", { name: String(id) }).click();

    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.locator(".deliveries .delivery-delivered").waitFor();

    const delivery = await page.locator(".deliveries li").first().innerText();
    expect(await page.locator(".amount").innerText()).toMatch(/^R\$\s19,90\s+approved$/);
    expect(await page.locator(".timeline").innerText()).toMatch(/pending\s+created[\s\S]*approved\s+pay/);
    expect(delivery).toContain(`POST ${postbackUrl}`);
    expect(delivery).toContain('"status": "approved"');
    expect(delivery).toMatch(/202\s+thank you/);
    expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
  });

  test.each([
    ["pix", "Expire", "expired"],
    ["pix", "Cancel payment", "cancelled"],
    ["card", "Charge back", "chargedback"],
    ["card", "Refund", "refunded"],
  ] as const)("a %s can be moved by the button %s: %s", async (method, button, status) => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox)[method]();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);

    await page.getByRole("button", { name: button, exact: true }).click();

    await page.locator(`.amount .badge.${status}`).waitFor();
    expect(sandbox.gateway.transactions[0]?.status).toBe(status);
  });

  test("is refunded in part by an amount in reais; nonsense is said to be so", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).card();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
    const amount = page.getByLabel("Refund, in reais");

    await amount.fill("nine");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const nonsense = await page.locator(".moves [role=alert]").innerText();
    await amount.fill("20,00");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByText("Only R$\u00a019,90 of it are left.").waitFor();
    await amount.fill("9,9");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByText("refund of R$ 9,90").waitFor();

    expect(nonsense).toBe("Write the amount in reais, such as 9,90.");
    expect(sandbox.gateway.transactions[0]).toMatchObject({ status: "approved", refundedAmount: 990 });
  });

  test("has no button for a move that makes no sense", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).card("4000000000009995");
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
    await page.getByText("Nothing can happen to it any more.").waitFor();

    const names = await page.locator(".moves button").allInnerTexts();

    expect(names).toEqual([]);
    expect(await page.locator(".reason").innerText()).toBe("Insufficient limit");
    expect(await page.locator(".facts").innerText()).toContain("insufficient_limit");
  });

  test("posts its present status, and an old postback again", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).pix();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);

    await page.getByRole("button", { name: "Send the present status" }).click();
    await page.getByText("Postback 1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send again: postback 1" }).click();
    await page.getByText("Postback 2", { exact: true }).waitFor();

    expect(sandbox.gateway.deliveries.map(({ body }) => body.status)).toEqual(["pending", "pending"]);
  });

  test("copies its pix code", async () => {
    const sandbox = await start();
    const { id, pix } = await merchantOf(sandbox).pix();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });

    await page.getByRole("button", { name: "Copy the pix code" }).click();
    await page.getByText("Copied the pix code.").waitFor();

    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pix.qrcodeText);
  });

  test("that the sandbox forgot is no longer shown, nor is its trouble once it is over", async () => {
    const first = await start();
    const { id } = await merchantOf(first).pix();
    const { page } = await visit(`${first.baseUrl}/#/transactions/${id}`);
    await page.getByRole("button", { name: "Expire" }).waitFor();
    await first.close();
    await page.getByText("Reconnecting…").waitFor();

    await page.getByRole("button", { name: "Expire" }).click();
    await page.locator(".moves").getByText("The sandbox cannot be reached.").waitFor();
    await start({ port: Number(new URL(first.baseUrl).port) });

    await page.getByText(`There is no transaction ${id}`).waitFor();
    expect(await page.getByRole("button", { name: "Expire" }).count()).toBe(0);
    expect(await page.getByText("cannot be reached").count()).toBe(0);
  });

  test("is right again after the sandbox could not be reached: it is asked until it answers", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).pix({ postbackUrl: undefined });
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
    await page.locator(".amount .badge.pending").waitFor();
    let refusals = 2;
    await page.route(`**/sandbox/transactions/${id}`, (route) => {
      refusals -= 1;
      return refusals < 0 ? route.continue() : route.abort("connectionrefused");
    });

    sandbox.gateway.expire(id);
    await page.getByText("The sandbox cannot be reached.").waitFor();

    await page.locator(".amount .badge.expired").waitFor();
    await expect.poll(() => page.locator("[role=alert]:visible").allInnerTexts()).toEqual([]);
  });

  test("that does not exist is said to be so", async () => {
    const sandbox = await start();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/7`);

    await page.getByText("There is no transaction 7: the sandbox forgets all when it ends.").waitFor();
  });
});

describe("what goes wrong, and time", () => {
  test("an armed fault breaks the next call, and is gone from the list then", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.getByLabel("What happens").selectOption("charged_then_500");
    await page.getByRole("button", { name: "Arm", exact: true }).click();
    await page.getByText("charged_then_500 on transactions.create, once").waitFor();

    const created = await merchantOf(sandbox).pix();

    await page.getByText("Nothing is armed.").waitFor();
    expect(created).toBeUndefined();
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test("armed faults can be removed, one by one and all", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "company.retrieve", kind: "html_502", times: 3 });
    sandbox.gateway.faults.add({ on: "status.retrieve", kind: "html_502" });
    sandbox.gateway.faults.add({ on: "sellers.list", kind: "html_502" });
    const { page } = await visit(sandbox.baseUrl);

    await page.getByRole("button", { name: "Remove html_502 on status.retrieve" }).click();
    await expect.poll(() => sandbox.gateway.faults.armed.length).toBe(2);
    await page.getByRole("button", { name: "Remove all" }).click();

    await page.getByText("Nothing is armed.").waitFor();
    expect(sandbox.gateway.faults.armed).toEqual([]);
  });

  test("the clock of the sandbox shows where it is not that of the machine, to whoever comes later, too", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.locator(".empty").waitFor();
    const text = page.getByText("The clock of the sandbox came to");
    const before = await text.count();

    sandbox.gateway.clock.advance(2 * 86_400_000);
    await text.waitFor();
    await page.reload();

    await text.waitFor();
    expect(before).toBe(0);
  });

  test("a day that passes lets a pix expire", async () => {
    const sandbox = await start();
    await merchantOf(sandbox).pix({ pix: { expiresInDays: 1 } });
    const { page } = await visit(sandbox.baseUrl);

    await page.getByRole("button", { name: "1 day" }).click();

    await page.getByRole("cell", { name: "expired" }).waitFor();
  });
});
