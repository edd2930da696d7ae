import jsqr from "jsqr";
import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, expectNoComplaints, goShopping, type Shopping } from "./support/shopping.ts";

useBrowser();

async function askForPix(shopping: Shopping): Promise<string> {
  await shopping.page.getByRole("tab", { name: "Pix" }).click();
  await shopping.page.getByRole("button", { name: "Gerar código Pix" }).click();
  await shopping.reads("Pague com Pix");
  return shopping.page.getByLabel("Pix copia e cola").inputValue();
}

describe("a buyer pays by pix", () => {
  test("on the dashboard in a second tab, and the shop's page changes by itself", async () => {
    const shopping = await goShopping();
    await askForPix(shopping);
    const dashboard = await shopping.page.context().newPage();
    dashboard.setDefaultTimeout(5_000);
    await dashboard.goto(shopping.sandbox.baseUrl);

    await dashboard.locator("tbody td:first-child a").click();
    await dashboard.getByRole("button", { name: "Pay", exact: true }).click();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
    expectNoComplaints(shopping);
  });

  test("with a picture that a camera reads as the code under it", async () => {
    const shopping = await goShopping();

    const code = await askForPix(shopping);

    const source = await shopping.page.getByAltText("QR code do Pix").getAttribute("src");
    const png = PNG.sync.read(Buffer.from(source?.split(",")[1] ?? "", "base64"));
    const read = jsqr.default(new Uint8ClampedArray(png.data), png.width, png.height);
    expect(read?.data).toBe(code);
    expect(code).toMatch(/^000201.*6304[0-9A-F]{4}$/);
  });

  test("with a code that one click copies", async () => {
    const shopping = await goShopping({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    const code = await askForPix(shopping);

    await shopping.page.getByRole("button", { name: "Copiar" }).click();

    await shopping.page.getByText("Código copiado.").waitFor();
    expect(await shopping.page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });

  test("with a code that is selected where it cannot be copied", async () => {
    const shopping = await goShopping();
    const code = await askForPix(shopping);
    await shopping.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });

    await shopping.page.getByRole("button", { name: "Copiar" }).click();

    await shopping.page.getByText("copie-o com o teclado").waitFor();
    expect(await shopping.page.evaluate(() => getSelection()?.toString())).toBe(code);
  });

  test("under a countdown that goes by the server's clock", async () => {
    const shopping = await goShopping();
    await shopping.page.clock.install({ time: new Date("2001-01-01") });

    await askForPix(shopping);
    const left = () => shopping.page.locator("#pix-left").textContent();
    expect(await left()).toMatch(/expira em (24:00:00|23:59:\d\d)\)$/);
    await shopping.page.clock.runFor(3_600_000);

    expect(await left()).toMatch(/expira em (23:00:00|22:59:\d\d)\)$/);
  });

  test("after a reload, with the same code", async () => {
    const shopping = await goShopping();
    const code = await askForPix(shopping);

    await shopping.page.reload();
    await shopping.reads("Pague com Pix");

    expect(await shopping.page.getByLabel("Pix copia e cola").inputValue()).toBe(code);
    expect(shopping.sandbox.gateway.transactions).toHaveLength(1);
  });
});

test("a code that expired makes room for another payment", async () => {
  const shopping = await goShopping();
  await askForPix(shopping);

  shopping.sandbox.gateway.clock.advance(25 * 60 * 60_000);
  await shopping.page.getByText("O código Pix expirou sem pagamento.").waitFor();
  await shopping.page.getByRole("tab", { name: "Cartão" }).click();
  await shopping.typeCard(APPROVED);
  await shopping.pay();

  await shopping.reads("Pagamento confirmado");
  expect(shopping.charges()).toBe(1);
});

test("while a pix is open, no card can pay the order a second time", async () => {
  const shopping = await goShopping();

  await askForPix(shopping);

  expect(await shopping.page.getByRole("tab", { name: "Cartão" }).isDisabled()).toBe(true);
});

test("money that goes back is told", async () => {
  const shopping = await goShopping();
  await askForPix(shopping);
  const [pix] = shopping.sandbox.gateway.transactions;

  shopping.sandbox.gateway.pay(pix?.id ?? 0);
  await shopping.reads("Pagamento confirmado");
  shopping.sandbox.gateway.refund(pix?.id ?? 0);

  await shopping.reads("Pagamento devolvido");
});
