import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, expectNoComplaints, goShopping, REFUSED } from "./support/shopping.ts";

useBrowser();

describe("a buyer pays by card", () => {
  test("and the order is paid", async () => {
    const shopping = await goShopping();

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
    expect(shopping.sandbox.gateway.transactions).toMatchObject([
      { status: "approved", amount: 9000, paymentMethod: "credit_card" },
    ]);
    expectNoComplaints(shopping);
  });

  test("a refused card says why, and another one pays", async () => {
    const { page, ...shopping } = await goShopping();

    await shopping.typeCard(REFUSED);
    await shopping.pay();
    await page.getByText("O limite do cartão não é suficiente.").waitFor();
    expect(shopping.charges()).toBe(0);

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.sandbox.gateway.transactions.map(({ status }) => status)).toEqual([
      "refused",
      "approved",
    ]);
    expectNoComplaints({ page, ...shopping });
  });

  test("in as many installments as the buyer chose", async () => {
    const { page, ...shopping } = await goShopping();

    await shopping.typeCard(APPROVED);
    await page.getByLabel("Parcelas").selectOption("3");
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.sandbox.gateway.transactions[0]).toMatchObject({ installments: 3 });
  });

  test("a card that is looked at for longer is told when it is approved", async () => {
    const shopping = await goShopping();

    await shopping.typeCard("4000000000003220");
    await shopping.pay();
    await shopping.reads("Pagamento em análise");
    shopping.sandbox.gateway.clock.advance(5_000);

    await shopping.reads("Pagamento confirmado");
  });

  test("with nothing but the keyboard", async () => {
    const { page, ...shopping } = await goShopping();

    await page.getByLabel("Número do cartão").focus();
    for (const typed of [APPROVED, "MARIA EXEMPLO", "1239", "123"]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    await shopping.reads("Pagamento confirmado");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Pagamento confirmado");
  });

  test("and no card data is left in the form", async () => {
    const { page, ...shopping } = await goShopping();

    await shopping.typeCard(APPROVED);
    await shopping.pay();
    await shopping.reads("Pagamento confirmado");

    const left = await page.evaluate(() =>
      ["number", "holderName", "expiry", "cvv"].map(
        (id) => document.querySelector<HTMLInputElement>(`#${id}`)?.value,
      ),
    );
    expect(left).toEqual(["", "", "", ""]);
  });
});

describe("a token that came too late is replaced without the buyer noticing", () => {
  test("because the service says so", async () => {
    const { page, ...shopping } = await goShopping();
    const posts: string[] = [];
    await page.route("**/card", async (route) => {
      posts.push(route.request().postData() ?? "");
      // The buyer's connection took six minutes, by the clock of the service.
      if (posts.length === 1) shopping.sandbox.gateway.clock.advance(6 * 60_000);
      await route.continue();
    });

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    const tokens = posts.map((post) => (JSON.parse(post) as { token: string }).token);
    expect(new Set(tokens).size).toBe(2);
    expect(shopping.charges()).toBe(1);
    expect(await page.locator("#notice").isHidden()).toBe(true);
  });
});

describe("while a number is typed", () => {
  test.each([
    [APPROVED, "4111 1111 1111 1111", "Visa"],
    ["378282246310005", "3782 822463 10005", "Amex"],
    ["5090000000000007", "5090 0000 0000 0007", "Elo"],
  ])("%s stands as %s, with its brand %s beside it", async (typed, shown, brand) => {
    const { page } = await goShopping();

    await page.getByLabel("Número do cartão").pressSequentially(typed);

    expect(await page.getByLabel("Número do cartão").inputValue()).toBe(shown);
    expect(await page.locator("#brand").textContent()).toBe(brand);
  });

  test("a digit put into the middle leaves the caret behind it", async () => {
    const { page } = await goShopping();
    const number = page.getByLabel("Número do cartão");
    await number.pressSequentially("4111111");

    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2));
    await page.keyboard.type("99");

    expect(await number.inputValue()).toBe("4199 1111 1");
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(4);
  });

  test.each([
    ["0331", "03/31"],
    ["331", "03/31"],
    ["3/31", "03/31"],
    ["1/31", "01/31"],
    ["12/2039", "12/2039"],
    ["122039", "12/2039"],
  ])("a date typed as %s stands as %s", async (typed, shown) => {
    const { page } = await goShopping();

    await page.getByLabel("Validade").pressSequentially(typed);

    expect(await page.getByLabel("Validade").inputValue()).toBe(shown);
  });

  test.each([
    ["Número do cartão", "  6304 9500 0000 0000 000", "6304 9500 0000 0000 000"],
    ["Número do cartão", "Visa 4111-1111-1111-1111", "4111 1111 1111 1111"],
    ["Validade", " 03 / 2031", "03/2031"],
    ["Validade", "3/31", "03/31"],
  ])("what is pasted into %s as %j stands as %s", async (label, pasted, shown) => {
    const { page } = await goShopping();

    await page.getByLabel(label).focus();
    await page.keyboard.insertText(pasted);

    expect(await page.getByLabel(label).inputValue()).toBe(shown);
  });
});

test("the click that leaves a doubtful number pays, and is not moved away from by the hint", async () => {
  const { page, ...shopping } = await goShopping();
  await shopping.typeCard(APPROVED);
  const button = page.getByRole("button", { name: "Pagar" });
  await button.scrollIntoViewIfNeeded();
  await page.getByLabel("Número do cartão").fill("");
  await page.getByLabel("Número do cartão").pressSequentially("4024007153763191");

  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  await page.mouse.move(x + 20, y + 5);
  await page.mouse.down();
  await page.mouse.up();

  await shopping.reads("Pagamento confirmado");
});
