import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, goShopping } from "./support/shopping.ts";

useBrowser();

describe("each wrong input says so itself", () => {
  test("all at once, and the first one has the focus", async () => {
    const { page, ...shopping } = await goShopping({ query: "" });

    await shopping.pay();

    const shown = await page.locator(".error:visible").evaluateAll((errors) => errors.map(({ id }) => id));
    expect(shown).toEqual([
      "name-error",
      "email-error",
      "phone-error",
      "document-error",
      "number-error",
      "holderName-error",
      "expiry-error",
      "cvv-error",
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("name");
  });

  test.each([
    ["Número do cartão", "4111", "Confira o número do cartão."],
    ["Validade", "13/39", "Use mês e ano, como 03/31."],
    ["Código (CVV)", "12", "São 3 ou 4 dígitos."],
    ["CPF", "123", "O CPF tem 11 dígitos."],
    ["E-mail", "maria", "Informe um e-mail válido."],
  ])("%s %j: %s", async (label, typed, problem) => {
    const { page, ...shopping } = await goShopping();
    await shopping.typeCard(APPROVED);

    await page.getByLabel(label).fill(typed);
    await shopping.pay();

    const input = page.getByLabel(label);
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    const described = await input.getAttribute("aria-describedby");
    expect(await page.locator(`#${described}`).textContent()).toBe(problem);
    expect(await page.locator(".error:visible").count()).toBe(1);
    expect(shopping.sandbox.gateway.transactions).toEqual([]);
  });

  test("a check digit that does not fit is a hint, and refuses nothing", async () => {
    const { page, ...shopping } = await goShopping();

    await shopping.typeCard("4024007153763191");
    await page.getByText("um dígito parece trocado").waitFor();
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
  });

  test("and no longer once it is changed", async () => {
    const { page, ...shopping } = await goShopping();
    const number = page.getByLabel("Número do cartão");
    await shopping.typeCard("4111");
    await shopping.pay();
    expect(await number.getAttribute("aria-invalid")).toBe("true");

    await number.pressSequentially("111111111111");

    expect(await number.getAttribute("aria-invalid")).toBe("false");
    expect(await page.locator(".error:visible").count()).toBe(0);
  });

  test("what only the service finds wrong stands beside its input, too", async () => {
    const { page, ...shopping } = await goShopping();
    await page.route("**/api/v1/card-token?**", (route) =>
      route.fulfill({
        status: 400,
        headers: { "access-control-allow-origin": "*" },
        json: { success: false, errors: [{ field: "card.expiration_year", message: "is past" }] },
      }),
    );

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await page.getByText("Confira os dados do cartão. Nada foi cobrado.").waitFor();
    expect(await page.locator("#expiry-error").textContent()).toBe("Use mês e ano, como 03/31.");
  });
});

describe("what is not the buyer's to mend says what helps", () => {
  test("a browser that is offline", async () => {
    const { page, ...shopping } = await goShopping();
    await shopping.typeCard(APPROVED);

    await page.context().setOffline(true);
    await shopping.pay();
    await page.getByText("Você está sem internet. Nada foi cobrado").waitFor({ timeout: 20_000 });
    await page.context().setOffline(false);
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
  });

  test.each([
    ["a network that breaks", "abort", "A conexão falhou. Nada foi cobrado: tente de novo."],
    ["a service that fails", 500, "No momento não conseguimos receber cartões."],
    ["a key that the service does not know", 401, "No momento não conseguimos receber cartões."],
  ] as const)("%s", async (_what, answer, text) => {
    const { page, ...shopping } = await goShopping();
    await page.route("**/api/v1/card-token**", (route) =>
      answer === "abort"
        ? route.abort("connectionreset")
        : route.fulfill({ status: answer, headers: { "access-control-allow-origin": "*" }, body: "" }),
    );

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await page.getByText(text).waitFor({ timeout: 20_000 });
    expect(await page.getByRole("button", { name: "Pagar" }).isEnabled()).toBe(true);
    expect(await page.getByLabel("Número do cartão").inputValue()).toBe("4111 1111 1111 1111");
  });
});
