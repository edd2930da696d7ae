import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { merchantOf } from "../support/dashboard.ts";

useBrowser();

const UUID = "98cfd4d5-b913-4bc7-854c-a4b72d99cbc0";
const PHONE = { width: 360, height: 740 };

/** What a reader copies who selects an element. */
async function selectedText(element: Locator): Promise<string> {
  return element.evaluate((node) => {
    getSelection()?.selectAllChildren(node);
    return String(getSelection());
  });
}

test.each([
  ["1280", { width: 1280, height: 900 }],
  ["360", PHONE],
])(
  "at %s px, a UUID as reference is one line in the list and in the transaction, and is copied whole",
  async (width, viewport) => {
    const sandbox = await start();
    const name = "João Pedro de Alcântara Vasconcelos e Silva";
    const document = { type: "cpf", number: "52998224725" };
    const { id } = await merchantOf(sandbox).pix({
      externalRef: UUID,
      customer: { name, email: "ana@loja.example", document },
    });
    const { page } = await visit(sandbox.baseUrl, { viewport });
    const references = [page.locator("td.col-reference bdi"), page.locator(".detail dd .one-line")];

    for (const [index, reference] of references.entries()) {
      await reference.waitFor();
      expect((await reference.boundingBox())?.height).toBeLessThan(24);
      expect(await selectedText(reference)).toBe(UUID);
      expect(await reference.getAttribute("title")).toBe(UUID);
      const isCut = await reference
        .locator("span")
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      if (width === "1280" || index === 1) expect(isCut).toBe(false);
      if (index === 0) await page.getByRole("link", { name: String(id) }).click();
    }

    await page.getByRole("link", { name: "Close" }).click();
    const customer = page.locator("td.col-customer");
    if (width !== "1280") return; // it is hidden
    await customer.waitFor(); // the list is drawn again
    expect((await customer.boundingBox())?.height).toBeLessThan(24);
  },
);

test("in Portuguese, statuses and methods are translated, and their values in the API are tooltips", async () => {
  const sandbox = await start();
  const { pix, card } = merchantOf(sandbox);
  const open = await pix();
  const paid = await card();
  await card("4000000000009995");
  const { page } = await visit(sandbox.baseUrl, { locale: "pt-BR" });
  const cellsOf = async (id: number) =>
    page
      .locator(`#transaction-${id} :is(.badge, .col-method)`)
      .evaluateAll((elements) =>
        elements.map((element) => [element.textContent, element.getAttribute("title")]),
      );
  await page.locator("tbody tr").nth(2).waitFor();

  const cells = [await cellsOf(open.id), await cellsOf(paid.id)];
  await page.getByLabel("Status").selectOption("Recusado");
  await page.getByText("1 resultado").waitFor();
  await page.getByRole("link", { name: /\d{6}/ }).click();
  await page.locator(".detail .reason").waitFor();

  expect(cells).toEqual([
    [
      ["Pendente", "pending"],
      ["Pix", "pix"],
    ],
    [
      ["Aprovado", "approved"],
      ["Cartão", "credit_card"],
    ],
  ]);
  expect(await page.locator(".detail .reason").innerText()).toBe("limite insuficiente");
  expect(await page.locator(".detail .reason").getAttribute("title")).toBe("Insufficient limit");
});

test.each(["pt-BR", "en-US"])("in %s, the tabs and the buttons are one row on a phone", async (locale) => {
  const sandbox = await start();
  const { page } = await visit(sandbox.baseUrl, { locale, viewport: PHONE });
  const buttons = page.locator(".nav-line :is(a, button)");
  await buttons.nth(3).waitFor();

  const names = /^(Transa|Requ|Faults and clock$|Falhas e relógio$|New payment$|Novo pagamento$)/;
  expect(await page.locator(".nav-line").getByRole("link", { name: names }).count()).toBe(2);
  expect(await page.locator(".nav-line").getByRole("button", { name: names }).count()).toBe(2);
  const boxes = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  for (const [index, box] of boxes.entries()) {
    expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0); // beside the one before
    expect(box.top).toBeLessThan(boxes[0].bottom);
    expect(box.right).toBeLessThanOrEqual(PHONE.width);
  }
});

test("the drawer with the faults is closed by its button", async () => {
  const sandbox = await start();
  const { page } = await visit(sandbox.baseUrl, { viewport: PHONE });
  await page.getByRole("button", { name: "Faults and clock" }).click();
  const drawer = page.locator("#tools");

  await drawer.getByRole("button", { name: "Close" }).click();

  await drawer.waitFor({ state: "hidden" });
});

test("the QR code is small once the pix is paid", async () => {
  const sandbox = await start();
  const { id } = await merchantOf(sandbox).pix();
  const { page } = await visit(`${sandbox.baseUrl}/#/transactions/${id}`);
  const qrWidth = async () => (await page.locator(".qr").boundingBox())?.width;
  await page.locator(".qr").waitFor();
  const before = await qrWidth();

  sandbox.gateway.pay(id);

  await expect.poll(qrWidth, { timeout: 10_000 }).toBeLessThan(100);
  expect(before).toBe(200);
});

test.each([true, false])(
  "the keys are folded when the reader leaves after a copy, and can be unfolded; with storage: %s",
  async (hasStorage) => {
    const sandbox = await start();
    const { page, browserErrors } = await visit("about:blank");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript((isKept) => {
      if (!isKept)
        Object.defineProperty(window, "localStorage", {
          get: () => {
            throw new DOMException();
          },
        });
    }, hasStorage);
    await page.goto(sandbox.baseUrl);
    const key = page.getByText(sandbox.secretKey, { exact: true });
    const leave = () => page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await key.waitFor();
    await leave();
    const beforeCopy = await key.isVisible();

    await page.getByRole("button", { name: "Copy Secret key" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    const afterCopy = await key.isVisible();
    await leave();
    await key.waitFor({ state: "hidden" });
    await page.getByText("Base URL and keys").click();
    await key.waitFor();
    await leave();
    const unfolded = await key.isVisible();
    await page.reload();
    await page.getByText("Base URL and keys").waitFor();

    expect([beforeCopy, afterCopy, unfolded]).toEqual([true, true, true]);
    expect(await key.isVisible()).toBe(!hasStorage);
    expect(browserErrors).toEqual([]);
  },
);

test("a middle click on a row opens it in a new tab, and a selection elsewhere blocks no click", async () => {
  const sandbox = await start();
  await merchantOf(sandbox).pix({ externalRef: UUID });
  const { page } = await visit(sandbox.baseUrl, { locale: "en-US" });
  const reference = page.getByText(UUID);
  await reference.waitFor();

  const opened = page.context().waitForEvent("page");
  await reference.click({ button: "middle" });
  const tab = await opened;
  await page.locator("h1").evaluate((title) => getSelection()?.selectAllChildren(title));
  await reference.evaluate((cell) => (cell as HTMLElement).click()); // as assistive technology does

  await page.getByRole("heading", { name: /Transaction \d/ }).waitFor();
  expect(tab.url()).toBe(page.url());
});
