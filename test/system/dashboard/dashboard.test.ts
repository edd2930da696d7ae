import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { startReceiver } from "../../sandbox/support/postback-receiver.ts";
import { start } from "../../sandbox/support/running.ts";
import { aPix, merchant } from "../../sandbox/support/wire.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { freePort } from "../../support/running.ts";
import { axeViolations, merchantOf, scrollsSideways, tabTo } from "../support/dashboard.ts";

useBrowser();

const SLOW = { timeout: 10_000 };

function focusedText(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}

describe("the list", () => {
  test("shows new and changed transactions without a reload, newest first", async () => {
    const sandbox = await start();
    const { page } = await visit(sandbox.baseUrl);
    await page.getByText("No transactions yet.").waitFor();
    const first = await merchantOf(sandbox).pix({ externalRef: "order-7" });
    const second = await merchantOf(sandbox).card("4000000000000002", { amount: 123_456 });
    await page.locator("tbody tr").nth(1).waitFor();

    sandbox.gateway.pay(first.id);
    await page.getByRole("cell", { name: "Approved" }).waitFor();

    const rows = await page.locator("tbody tr").allInnerTexts();
    expect(rows[0]).toMatch(new RegExp(`^${second.id}\\s+order-1\\s+Refused\\s+R\\$\\s1\\.234,56\\s+Card`));
    expect(rows[1]).toMatch(new RegExp(`^${first.id}\\s+order-7\\s+Approved\\s+R\\$\\s19,90\\s+Pix`));
  });

  test("has the newest 100; a search by the server finds the others, and survives a reload", async () => {
    const sandbox = await start();
    const { create } = merchant(sandbox, sandbox.gateway.fetch);
    for (let count = 0; count < 101; count += 1) await create(aPix({ externalRef: `order-${count}.` }));
    const oldest = sandbox.gateway.transactions[0]?.id ?? 0;
    const { page } = await visit(sandbox.baseUrl);
    const rows = page.locator("tbody tr");
    await page.getByText("Only the newest 100 are shown").waitFor();
    const shown = await rows.count();

    await page.getByLabel("Search by reference").fill("order-0. approved");
    await page.getByText("Nothing matches").waitFor();
    await page.reload();
    await page.getByText("Nothing matches").waitFor();
    sandbox.gateway.pay(oldest);
    await page.locator(`#transaction-${oldest}`).waitFor();

    expect([shown, await rows.count()]).toEqual([100, 1]);
  });

  test("a click on any cell of a row opens it, and one that selects text does not", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).pix({ externalRef: "order-7" });
    const { page } = await visit(sandbox.baseUrl);
    const cells = page.locator("tbody td");
    const heading = page.getByRole("heading", { name: `Transaction ${id}` });
    await cells.nth(5).waitFor();
    const box = await page.getByText("order-7").boundingBox();
    if (!box) throw new Error("The reference is not shown.");

    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 49, box.y + box.height / 2);
    await page.mouse.up();
    const selected = await page.evaluate(() => String(getSelection()));
    const afterSelecting = page.url();

    expect(selected).toMatch(/^order-/);
    expect(afterSelecting).not.toContain(String(id));
    for (const cell of await cells.all()) {
      await cell.click();
      await heading.waitFor();
      await page.getByRole("link", { name: "Close" }).click();
      await heading.waitFor({ state: "detached" });
    }
  });

  test("reconnects automatically after the sandbox was stopped", async () => {
    const first = await start();
    const { page } = await visit(first.baseUrl);
    await page.getByText("Live", { exact: true }).waitFor();
    await first.close();
    const banner = page.getByText("The sandbox does not respond.");
    await banner.waitFor();
    const second = await start({ port: Number(new URL(first.baseUrl).port) });
    const { id } = await merchantOf(second).pix();

    await page.locator(`#transaction-${id}`).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await banner.count()).toBe(0);
  });
});

describe("a transaction", () => {
  test("is opened, paid and closed with the keyboard; the focus follows, and its postback and timeline appear", async () => {
    const sandbox = await start();
    const receiver = await startReceiver((response) => response.writeHead(202).end("thank you"));
    const { id } = await merchantOf(sandbox).pix({ postbackUrl: receiver.url });
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody tr").waitFor();

    await tabTo(page, String(id));
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedText(page), SLOW).toBe(`Transaction ${id}`);
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await tabTo(page, "Pay");
    await page.keyboard.press("Enter");
    await page.locator(".deliveries .delivery-delivered").waitFor();
    await expect.poll(() => focusedText(page), SLOW).toBe(`Transaction ${id}`); // the button was removed
    const [amount, timeline, delivery] = await Promise.all(
      [".sum", ".timeline", ".deliveries li"].map((part) => page.locator(part).first().innerText()),
    );
    const codes = await page.locator(".qr").count();
    await page.keyboard.press("Escape");

    await expect.poll(() => focusedText(page), SLOW).toBe(String(id));
    expect(codes).toBe(0); // nobody has to scan it any more
    expect(await page.locator(".detail").count()).toBe(0);
    expect(amount).toMatch(/^R\$\s19,90\s+Approved$/);
    expect(timeline).toMatch(/Pending[\s\S]*Approved\s+Pay/);
    expect(delivery).toContain(`POST ${receiver.url}`);
    expect(delivery).toContain('"status": "approved"');
    expect(delivery).toMatch(/202\s+thank you/);
    expect(sandbox.gateway.transactions[0]?.status).toBe("approved");
  });

  test("is refunded in parts, and charged back", async () => {
    const sandbox = await start();
    const { id } = await merchantOf(sandbox).card();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
    const amount = page.getByLabel("Amount to return, in reais");
    const refund = page.getByRole("button", { name: "Refund" });

    await amount.fill("20,00");
    await refund.click();
    await page.getByText("at most 1990 cents can be refunded").waitFor();
    await amount.fill("");
    await refund.click();
    await page.getByText("Enter the amount in reais").waitFor();
    await amount.fill("9,9");
    await refund.click();
    await page.getByText("Refund R$ 9,90").waitFor();
    await expect
      .poll(() => page.getByRole("status").allInnerTexts(), SLOW)
      .toContain("R$\u00a09,90 returned.");
    const rest = await amount.inputValue();
    const refunded = sandbox.gateway.transactions[0];
    await page.getByRole("button", { name: "Charge back" }).click();
    await page.getByText("No further changes are possible.").waitFor();

    expect(rest).toBe("10,00");
    expect(refunded).toMatchObject({ status: "approved", refundedAmount: 990 });
    expect(sandbox.gateway.transactions[0]?.status).toBe("chargedback");
  });

  test("is returned through the MED if it is a pix", async () => {
    const sandbox = await start();
    const { id } = sandbox.gateway.pay((await merchantOf(sandbox).pix()).id);
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);

    await page.getByRole("button", { name: "Return (MED)" }).click();
    await page.getByText("Return (MED) R$ 19,90").waitFor();

    expect(sandbox.gateway.transactions[0]).toMatchObject({ status: "refunded", refundedAmount: 1990 });
  });

  test("shows the attempts of a postback, which can be sent again", async () => {
    const sandbox = await start({ postbacks: { retries: 0 } });
    const { pix } = merchantOf(sandbox);
    sandbox.gateway.faults.add({ on: "postbacks", kind: "shop_500" });
    const { id } = sandbox.gateway.pay((await pix()).id);
    await sandbox.gateway.settled();
    const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
    await page.locator(".delivery-failed").waitFor();
    const failed = await page.locator(".attempt").innerText();

    await page.getByRole("button", { name: "Send again: postback 1" }).click();
    await page.locator(".delivery-delivered").waitFor();

    expect(failed).toMatch(/500 Not sent: the postback fails/);
    expect(sandbox.gateway.deliveries).toMatchObject([{ status: "failed" }, { status: "delivered" }]);
  });
});

describe("requests", () => {
  test("a 400 shows the refused field, and a 401 why it was refused", async () => {
    const sandbox = await start();
    await merchantOf(sandbox).pix({ amount: 19.9, externalRef: "order-9" });
    await fetch(`${sandbox.baseUrl}/api/v1/company`);
    const { page, browserErrors } = await visit(`${sandbox.baseUrl}/#/requests`);
    await page.getByText("There is no Authorization header.").waitFor();

    await page.getByLabel("Search by reference").fill("order-9");
    await page.getByText("Total: 1").waitFor();
    await page.locator("tbody a").click();
    await page.locator(".detail pre").first().waitFor();

    expect(await page.locator(".detail .problem").innerText()).toMatch(/^amount: Must be a whole number of/);
    expect(await page.locator(".detail pre").first().innerText()).toContain('"amount": 19.9,\n');
    expect(await page.locator(".detail .badge").innerText()).toBe("400");
    expect(await axeViolations(page)).toEqual([]);
    expect(browserErrors).toEqual([]);
  });

  test("a lost response is named in both views, which link to each other", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    await expect(merchantOf(sandbox).pix()).rejects.toThrow();
    const id = sandbox.gateway.transactions[0]?.id;
    const { page } = await visit(sandbox.baseUrl);
    await page.locator("tbody .fault").waitFor();

    await page.getByRole("link", { name: String(id) }).click();
    await page.getByRole("link", { name: "Its requests" }).click();
    await page.locator("tbody a").click();
    await page.getByText("Simulated fault: charged_then_reset").waitFor();
    await page.getByRole("link", { name: `Transaction ${id}` }).click();

    await page.locator(".qr").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

test("a request that arrives while the list is open appears; a test card is copied", async () => {
  const sandbox = await start();
  const { page } = await visit(`${sandbox.baseUrl}/#/requests`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("No requests yet.").waitFor();

  await merchantOf(sandbox).pix();
  await page.locator("tbody a").waitFor();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("button", { name: "Copy the card number 4000 0000 0000 9995" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();

  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("4000000000009995");
});

describe("faults and the clock", () => {
  test("an armed fault is shown until it is used, and others can be removed", async () => {
    const sandbox = await start();
    const { faults } = sandbox.gateway;
    const phone = { width: 360, height: 740 };
    const { page } = await visit(`${sandbox.baseUrl}/#/tools`, { viewport: phone, colorScheme: "dark" });
    const banner = page.getByRole("region", { name: "Armed faults" });
    await page.getByLabel("What happens").selectOption("charged_then_500");
    await page.getByRole("button", { name: "Arm", exact: true }).click();
    await banner.waitFor();
    const text = await banner.innerText();
    const problems = [...(await scrollsSideways(page)), ...(await axeViolations(page))];

    const created = await merchantOf(sandbox).pix();
    await banner.waitFor({ state: "detached" });
    faults.add({ on: "company.retrieve", kind: "html_502", times: 3 });
    faults.add({ on: "status.retrieve", kind: "html_502" });
    await page.getByRole("button", { name: "Remove html_502 on status.retrieve" }).click();
    await expect.poll(() => faults.armed.map(({ on }) => on), SLOW).toEqual(["company.retrieve"]);
    await page.getByRole("button", { name: "Remove html_502 on company.retrieve" }).click();
    await banner.waitFor({ state: "detached" });

    expect(text).toContain("Next calls that fail: 1 × transactions.create, charged_then_500.");
    expect(problems).toEqual([]);
    expect(created).toBeUndefined();
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
    expect(faults.armed).toEqual([]);
  });

  test("advancing a day lets a pix expire, and the new time is shown", async () => {
    const sandbox = await start({ now: Date.parse("2026-12-04T12:00:00Z") });
    await merchantOf(sandbox).pix({ pix: { expiresInDays: 1 } });
    const { page } = await visit(`${sandbox.baseUrl}/#/tools`, { timezoneId: "America/Sao_Paulo" });

    await page.getByRole("button", { name: "1 day" }).click();

    await page.getByText("The clock was advanced to 5 December 2026 at 09:00.").waitFor();
    await page.getByRole("link", { name: "Transactions" }).click();
    await page.getByRole("cell", { name: "Expired" }).waitFor();
    await expect.poll(() => page.locator("td.time").innerText(), SLOW).toBe("4 Dec, 09:00:00");
  });
});

test("statuses and methods have their values in the API as tooltips", async () => {
  const sandbox = await start();
  const { pix, card } = merchantOf(sandbox);
  await card("4000000000009995");
  const open = await pix();
  const { page } = await visit(sandbox.baseUrl);
  await page.locator("tbody tr").nth(1).waitFor();

  const cells = await page
    .locator(`#transaction-${open.id} :is(.badge, .method)`)
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute("title")]));

  expect(cells).toEqual([
    ["Pending", "pending"],
    ["Pix", "pix"],
  ]);
});

test("the pages work under a base path", async () => {
  const port = await freePort();
  const sandbox = await start({ port, baseUrl: `http://127.0.0.1:${port}/pay` });
  const { id } = await merchantOf(sandbox).pix();
  const { page, browserErrors } = await visit(sandbox.baseUrl); // redirects to the URL with a trailing slash

  await page.getByRole("link", { name: String(id) }).click();
  await page.getByRole("link", { name: "/checkout/" }).click();

  await page.getByRole("button", { name: "Simulate the payment" }).waitFor();
  expect(page.url()).toMatch(/\/pay\/checkout\//);
  expect(browserErrors).toEqual([]);
});
