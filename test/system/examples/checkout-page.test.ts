import type { BrowserContextOptions, Page } from "playwright";
import { describe, expect, test, vi } from "vitest";
import type { Order } from "../../../examples/checkout/server/orders.ts";
import { AXE, useBrowser, violationsInPage, visit } from "../../support/browsing.ts";
import { BUYER, openShop } from "../support/open-shop.ts";

useBrowser();

const APPROVED = "4111111111111111";
const REFUSED = "4000000000009995";

/** A buyer on the shop's page, with personal data already filled in. */
async function openCheckout(search = "?demo", options: BrowserContextOptions = {}) {
  const opened = await openShop();
  const { page, browserErrors } = await visit(`${opened.shop.url}/${search}`, options);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(opened.shop.url)) return;
    sent.push([request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join("\n"));
  });
  await page.locator("#pay:enabled").waitFor();
  const waitForHeading = (heading: string) => page.getByRole("heading", { name: heading }).waitFor();
  return {
    ...opened,
    page,
    sent,
    browserErrors,
    async typeCard(number: string, { holderName, cvv } = { holderName: "MARIA EXEMPLO", cvv: "123" }) {
      await page.getByLabel("Número do cartão").fill("");
      await page.getByLabel("Número do cartão").pressSequentially(number);
      await page.getByLabel("Nome impresso no cartão").fill(holderName);
      await page.getByLabel("Validade").fill("12/39");
      await page.getByLabel("CVV").fill(cvv);
    },
    pay: () => page.locator("#pay").click(),
    facts: async () => (await page.locator("#facts").innerText()).replaceAll("\u00a0", " "),
    waitForHeading,
  };
}

/** Short, and a part of the order's address. */
const orderNumber = ({ page }: { page: Page }) => new URL(page.url()).pathname.slice(8, 16).toUpperCase();

const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, hidden);

async function expectAccessible({ page }: { page: Page }): Promise<void> {
  await page.evaluate(AXE);
  expect(await page.evaluate(violationsInPage)).toEqual([]);
}

describe("a buyer pays", () => {
  test("by card, once by two clicks, with the interest of the installments, and no card data remains", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    const offers = await page.getByLabel("Parcelas").locator("option").allInnerTexts();

    await checkout.typeCard(APPROVED);
    await page.getByLabel("Parcelas").selectOption("4");
    await page.getByRole("button", { name: "Pagar R$ 94,52" }).dblclick();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(offers.map((text) => text.replaceAll("\u00a0", " ")).slice(2, 4)).toEqual([
      "3x de R$ 30,00",
      "4x de R$ 23,63 com juros (R$ 94,52)",
    ]);
    expect(sandbox.gateway.transactions).toMatchObject([
      { status: "approved", amount: 9452, installments: 4 },
    ]);
    expect(checkout.log.join()).not.toContain("items"); // the interest is an item: they add up to the amount
    expect(await page.getByLabel("Número do cartão", { exact: true }).inputValue()).toBe("");
    await page.reload(); // the page shows the same when it is opened again
    await checkout.waitForHeading("Pagamento confirmado");
    const facts = new RegExp(`${orderNumber({ page })}[^]+R\\$ 94,52[^]+4x de R\\$ 23,63[^]+ de 20\\d\\d`);
    expect(await checkout.facts()).toMatch(facts);
    await expectAccessible({ page });
    expect(checkout.browserErrors).toEqual([]);
  });

  test("with another card after a declined one, whose reason the page does not show and whose code is gone", async () => {
    const { page, ...checkout } = await openCheckout();

    await checkout.typeCard(REFUSED);
    await checkout.pay();
    await page.getByText("O pagamento não foi aceito. Nada foi cobrado").waitFor();
    expect(await page.content()).not.toMatch(/limit/i);
    expect(checkout.charges()).toBe(0);
    const code = page.getByLabel("CVV");
    expect(await code.inputValue()).toBe("");
    expect(await code.evaluate((input) => input === document.activeElement)).toBe(true);
    await expectAccessible({ page });
    await checkout.typeCard(APPROVED);
    await checkout.pay();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.charges()).toBe(1);
  });

  test("by pix, and the postback updates each of eight tabs", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await checkout.waitForHeading("Pague com Pix");
    const [pix] = sandbox.gateway.transactions;
    expect(await page.getByLabel("Pix copia e cola").inputValue()).toBe(pix?.pix?.qrcodeText);
    await page
      .locator("payment-pix")
      .getByText(/^R\$\s90,00$/)
      .waitFor();
    await expectAccessible({ page });
    let last = page;
    for (let count = 0; count < 7; count += 1) {
      last = await page.context().newPage(); // a browser opens at most six connections to a host, in all tabs together
      await last.goto(page.url(), { timeout: 10_000 });
    }

    sandbox.gateway.pay(pix?.id ?? 0);

    await checkout.waitForHeading("Pagamento confirmado");
    await last.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    expect(checkout.sent.join()).toContain("/status?stsig=");
    expect(checkout.browserErrors).toEqual([]);
  });

  test("by card in another tab, and the tab with the pix shows it when the buyer comes back", async () => {
    const { page, ...checkout } = await openCheckout();
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await checkout.waitForHeading("Pague com Pix");
    const { id = "" } = /orders\/(?<id>[\w-]+)/.exec(page.url())?.groups ?? {};
    const order = checkout.shop.orders.find(id);
    const { revision = 0 } = order?.view() ?? {};
    const payment = { buyer: BUYER, revision, installments: 1, token: await checkout.tokenFor(APPROVED) };
    await checkout.post(order as Order, "card", payment);

    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

    await checkout.waitForHeading("Pagamento confirmado");
    expect(await page.locator("#pix-code").getAttribute("status-url")).toBeNull(); // it asks no more
  });

  test("by another pix after the first has expired, which the page no longer asks to pay", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    const request = page.getByText("Esta página se atualiza sozinha quando o Pix é pago");
    await request.waitFor();
    const order = checkout.shop.orders.find(/orders\/([\w-]+)/.exec(page.url())?.[1] ?? "");
    const past = { expiresAt: "2020-01-01T00:00:00Z" };
    for (const pix of [order?.attempts[0]?.pix, order?.view().state]) Object.assign(pix ?? {}, past);

    await page.reload(); // the element reports the end of the code after the first response
    await page.getByRole("button", { name: "Gerar outro código Pix" }).waitFor();
    expect(await request.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Gerar outro código Pix" }).click();

    await request.waitFor();
    expect(await page.getByRole("button", { name: "Gerar outro código Pix" }).isVisible()).toBe(false);
    expect(sandbox.gateway.transactions).toHaveLength(2);
  });

  test("by another pix after the shop reports that the first has expired, and no text claims that nothing was charged", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    const request = page.getByText("Esta página se atualiza sozinha quando o Pix é pago");
    const warning = page.getByText("não pague mais este código");
    await warning.waitFor();
    let isOffline = true; // the code asks for its own status
    await page.route("**/state", (route) => (isOffline ? route.abort() : route.continue()));

    sandbox.gateway.expire(sandbox.gateway.transactions[0]?.id ?? 0);
    await page.getByRole("button", { name: "Gerar outro código Pix" }).waitFor();
    expect([await request.isVisible(), await warning.isVisible()]).toEqual([false, false]);
    await expectAccessible({ page });
    isOffline = false;
    await page.getByRole("alert").getByText("Se você já pagou, não pague de novo").waitFor();
    expect(await page.getByText("nada foi cobrado").filter({ visible: true }).count()).toBe(0);
    await expectAccessible({ page });
    await page.getByRole("button", { name: "Gerar código Pix" }).click();

    await request.waitFor();
    expect(await warning.isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Gerar outro código Pix" }).isVisible()).toBe(false);
    expect(sandbox.gateway.transactions).toMatchObject([{ status: "expired" }, { status: "pending" }]);
    expect(checkout.charges()).toBe(0);
  });

  test("by pix with one click if the service makes no tokens", async () => {
    const { page, ...checkout } = await openCheckout();
    const headers = { "access-control-allow-origin": "*" };
    await page.route("**/card-token**", (route) => route.fulfill({ status: 500, headers, body: "" }));
    await checkout.typeCard(APPROVED);
    await checkout.pay();

    await page.getByRole("button", { name: "Pagar com Pix" }).click({ timeout: 20_000 });

    await checkout.waitForHeading("Pague com Pix");
  });

  test("at the service's own page, which a pending card's link leads to", async () => {
    const { page, ...checkout } = await openCheckout();
    await checkout.typeCard("4000000000009235");
    await checkout.pay();
    await checkout.waitForHeading("Falta concluir o pagamento");
    await expectAccessible({ page });
    const [card] = checkout.sandbox.gateway.transactions;

    expect(await page.getByRole("link", { name: "Continuar em" }).getAttribute("href")).toBe(card?.secureUrl);
    checkout.sandbox.gateway.pay(card?.id ?? 0);

    await checkout.waitForHeading("Pagamento confirmado");
  });
});

describe("the page asks for its order", () => {
  /** Acts, lets time pass in the page, and counts the requests for the order in it. */
  const createCounter = (page: Page) => {
    let count = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/state")) count += 1;
    });
    return async (ms: number, act = async () => {}) => {
      count = 0;
      await act();
      await page.clock.runFor(ms);
      await page.evaluate(() => fetch("/")); // what was requested before is counted now
      return count;
    };
  };

  /** Shows the page again, and waits until it asks. */
  const showAgain = (page: Page) => Promise.all([page.waitForRequest("**/state"), setHidden(page, false)]);

  test("once every two seconds while the shop fails, however often it was shown, and not while it is hidden", async () => {
    const { page } = await openCheckout();
    const requestsIn = createCounter(page);
    await page.clock.install();
    await page.route("**/state", (route) => route.fulfill({ status: 502, body: "" }));
    await showAgain(page); // from now on, its timers are those of the test
    await page.clock.pauseAt(Date.now() + 60_000);
    for (let count = 0; count < 5; count += 1) {
      await setHidden(page, true);
      await setHidden(page, false);
    }

    expect(await requestsIn(2_000)).toBe(1);
    expect(await requestsIn(2_000)).toBe(1);
    await setHidden(page, true);
    expect(await requestsIn(60_000)).toBe(0);
    expect(await requestsIn(0, () => setHidden(page, false))).toBe(1);
  });

  test("only when it is shown again while the order is free, before a payment and after an expired pix", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    const requestsIn = createCounter(page);
    await page.clock.install();
    await showAgain(page);
    expect(await requestsIn(60_000)).toBe(0);
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await checkout.waitForHeading("Pague com Pix");
    sandbox.gateway.expire(sandbox.gateway.transactions[0]?.id ?? 0);
    await page.getByRole("alert").getByText("O código Pix expirou").waitFor();

    await page.clock.runFor(2_000); // a request in flight
    expect(await requestsIn(60_000)).toBe(0);
    expect(await requestsIn(60_000, () => setHidden(page, false))).toBe(1);
    expect(await requestsIn(60_000)).toBe(0);
  });

  test("until it is paid", async () => {
    const { page, sandbox, ...checkout } = await openCheckout();
    const requestsIn = createCounter(page);
    await page.clock.install();
    await showAgain(page);
    await page.getByRole("radio", { name: "Pix" }).check();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await checkout.waitForHeading("Pague com Pix");
    sandbox.gateway.pay(sandbox.gateway.transactions[0]?.id ?? 0);
    await checkout.waitForHeading("Pagamento confirmado");

    expect(await requestsIn(60_000)).toBe(0);
    expect(await requestsIn(60_000, () => setHidden(page, false))).toBe(0);
  });
});

describe("a buyer is not charged twice", () => {
  test("if the request reaches the shop late: the page shows the payment", async () => {
    const { page, ...checkout } = await openCheckout();
    let body = {};
    await page.route("**/card", (route) => {
      body = route.request().postDataJSON() as object;
      return route.abort("connectionreset");
    });
    await checkout.typeCard(APPROVED);
    await checkout.pay();
    await page.getByText("A conexão com a loja falhou").waitFor();

    const order = checkout.shop.orders.find(/orders\/([\w-]+)/.exec(page.url())?.[1] ?? "");
    await checkout.post(order as Order, "card", body);

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.charges()).toBe(1);
  });

  test("if the service's response is lost: the page offers a pix, and no second card", async () => {
    const { page, ...checkout } = await openCheckout();
    const { gateway } = checkout.sandbox;
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    await checkout.typeCard(APPROVED);
    await checkout.pay();
    await checkout.waitForHeading("Estamos verificando o pagamento");
    expect(await page.locator("#pay").isVisible()).toBe(false);
    expect(await checkout.facts()).toMatch(new RegExp(`${orderNumber({ page })}[^]+Desde`));
    await expectAccessible({ page });

    await page.reload(); // the shop knows the buyer
    await page.getByText("Pague com Pix agora. Se o cartão for aprovado depois, estornaremos").waitFor();
    let isOffline = true; // `times: 1` ends the interception, which now and then hangs the page's next request
    await page.route("**/pix", (route) => (isOffline ? route.abort("connectionreset") : route.continue()));
    await page.getByRole("button", { name: "Pagar com Pix" }).click();
    await page.getByText("Não foi possível gerar o Pix agora").waitFor();
    isOffline = false;
    expect(await page.getByText("nada foi cobrado").filter({ visible: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Pagar com Pix" }).dblclick();
    await checkout.waitForHeading("Pague com Pix");
    expect(await page.getByRole("button", { name: "Pagar com cartão" }).isVisible()).toBe(false);
    gateway.sendPostback(gateway.transactions[0]?.id ?? 0);

    await checkout.waitForHeading("Pagamento confirmado");
    expect(gateway.transactions).toMatchObject([{ status: "approved" }, { status: "pending" }]);
  });

  test("if the shop's own response is lost: the page requests the state of the payment", async () => {
    const checkout = await openCheckout();
    await checkout.page.route("**/card", async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });

    await checkout.typeCard(APPROVED);
    await checkout.pay();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.sandbox.gateway.transactions).toHaveLength(1);
    expect(await checkout.page.locator("#notice").isHidden()).toBe(true);
  });
});

describe("the form", () => {
  test.each([
    ["", "", "", "", /^Digite seu nome.+Digite seu e-mail.+Digite seu celular.+Digite seu CPF/],
    ["Maria", "a@b", "1199", "11111111112", /^Digite nome.+o e-mail.+Confira o número.+Confira o CPF/],
    ["Maria Sá", "a@b.com", "1133334444", "52998224725", /^$/],
  ])("says of %j, %j, %j and %j what is missing and what is wrong", async (name, email, phone, cpf, text) => {
    const { page, ...checkout } = await openCheckout("");
    const values = { "Nome completo": name, "E-mail": email, Celular: phone, CPF: cpf };
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);

    await checkout.pay();

    expect((await page.locator(".wrong").allTextContents()).join("")).toMatch(text);
    const first = page.locator('input[aria-invalid="true"]').first();
    expect(await first.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(checkout.sandbox.gateway.transactions).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "is accessible in %s on a phone, with a short summary",
    async (colorScheme) => {
      const checkout = await openCheckout("", { colorScheme, viewport: { width: 360, height: 740 } });
      await checkout.pay(); // with all errors

      await expectAccessible(checkout);
      const isOpen = await checkout.page.locator("#summary").evaluate((summary) => summary.matches("[open]"));
      const width = await checkout.page.evaluate(() => document.documentElement.scrollWidth);
      expect({ isOpen, width }).toEqual({ isOpen: false, width: 360 });
    },
  );
});

test.each([
  ["is approved", undefined, "Pagamento confirmado"],
  ["gets no response", "charged_then_reset", "Estamos verificando o pagamento"],
] as const)(
  "a card whose payment %s reaches neither the shop's server nor its log",
  async (_what, kind, heading) => {
    const written: string[] = [];
    for (const level of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, level).mockImplementation((...args) => void written.push(args.map(String).join(" ")));
    }
    const checkout = await openCheckout();
    if (kind !== undefined) checkout.sandbox.gateway.faults.add({ on: "transactions.create", kind });

    await checkout.typeCard("378734493671000", { holderName: "ZULMIRA CANARIO", cvv: "8317" });
    await checkout.pay();
    await checkout.waitForHeading(heading);

    const sent = checkout.sent.join("\n");
    const logged = [...checkout.log, ...written].join("\n");
    expect(sent).toMatch(/"token":"eyJ/);
    for (const text of [sent, logged]) {
      expect(text.replaceAll(/[ +]|%20/g, "")).not.toMatch(/378734493671000|ZULMIRA|"8317"/);
    }
    expect(logged).not.toMatch(/eyJ|pbsig|sk_|pk_/);
  },
);

test("a form whose script did not load cannot submit a card", async () => {
  const { page } = await openCheckout();

  const inputs = page.locator("#card input, #card select");
  const names = await inputs.evaluateAll((found) => found.map((input) => input.getAttribute("name")));
  const html = await (await fetch(page.url())).text();

  expect(names).toEqual([null, null, null, null, null]);
  expect(html).not.toMatch(/cc-number|<form[^>]+action/);
  expect(html).toMatch(/<button id="pay" disabled>/);
});
