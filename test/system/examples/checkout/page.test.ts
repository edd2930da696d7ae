import axe from "axe-core";
import type { Page } from "playwright";
import { describe, expect, test, vi } from "vitest";
import { useBrowser, visit } from "../../../support/browsing.ts";
import { type OpenShop, openShop } from "./support/open-shop.ts";

useBrowser();

const APPROVED = "4111111111111111";
const REFUSED = "4000000000009995";

interface Checkout extends OpenShop {
  readonly page: Page;
  /** Everything that the page sent to the shop's server. */
  readonly sent: readonly string[];
  /** Errors and warnings of the browser. */
  readonly browserErrors: readonly string[];
  typeCard(number: string, card?: { readonly holderName: string; readonly cvv: string }): Promise<void>;
  pay(): Promise<void>;
  choosePix(): Promise<void>;
  waitForHeading(heading: string): Promise<void>;
}

/** A buyer on the shop's page, with personal data already filled in. */
async function openCheckout(): Promise<Checkout> {
  const opened = await openShop();
  const { page, browserErrors } = await visit(`${opened.shop.url}/?demo`);
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
    async typeCard(number, { holderName, cvv } = { holderName: "MARIA EXEMPLO", cvv: "123" }) {
      await page.getByLabel("Número do cartão").fill("");
      await page.getByLabel("Número do cartão").pressSequentially(number);
      await page.getByLabel("Nome impresso no cartão").fill(holderName);
      await page.getByLabel("Validade").fill("12/39");
      await page.getByLabel("Código (CVV)").fill(cvv);
    },
    pay: () => page.getByRole("button", { name: "Pagar" }).click(),
    async choosePix() {
      await page.getByLabel("Pix", { exact: true }).check();
      await page.getByRole("button", { name: "Gerar código Pix" }).click();
      await waitForHeading("Pague com Pix");
    },
    waitForHeading,
  };
}

async function expectAccessible({ page }: Checkout): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await tool.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(violations).toEqual([]);
}

describe("a buyer pays", () => {
  test("by card, and no card data remains in the page", async () => {
    const checkout = await openCheckout();

    await checkout.typeCard(APPROVED);
    await checkout.page.getByLabel("Parcelas").selectOption("3");
    await checkout.pay();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.sandbox.gateway.transactions).toMatchObject([
      { status: "approved", amount: 9000, installments: 3 },
    ]);
    expect(await checkout.page.getByLabel("Número do cartão", { exact: true }).inputValue()).toBe("");
    await expectAccessible(checkout);
    expect(checkout.browserErrors).toEqual([]);
  });

  test("with another card after a declined one, whose reason the page shows", async () => {
    const { page, ...checkout } = await openCheckout();

    await checkout.typeCard(REFUSED);
    await checkout.pay();
    await page.getByText("O limite do cartão não é suficiente. Nada foi cobrado").waitFor();
    expect(checkout.charges()).toBe(0);
    await checkout.typeCard(APPROVED);
    await checkout.pay();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.charges()).toBe(1);
  });

  test("by pix, and the postback updates the page", async () => {
    const checkout = await openCheckout();
    await checkout.choosePix();
    const [pix] = checkout.sandbox.gateway.transactions;
    expect(await checkout.page.getByLabel("Pix copia e cola").inputValue()).toBe(pix?.pix?.qrcodeText);
    await expectAccessible(checkout);

    checkout.sandbox.gateway.pay(pix?.id ?? 0);

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.browserErrors).toEqual([]);
  });

  test("without a mouse", async () => {
    const checkout = await openCheckout();
    const { page } = checkout;
    await expectAccessible(checkout);
    await page.getByLabel("CPF").focus();

    const keys = [
      "Tab",
      "Tab",
      `4111111111111111`,
      "Tab",
      "MARIA EXEMPLO",
      "Tab",
      "1239",
      "Tab",
      "123",
      "Tab",
      "Tab",
    ];
    for (const key of keys) await (key === "Tab" ? page.keyboard.press(key) : page.keyboard.type(key));
    await page.keyboard.press("Enter");

    await checkout.waitForHeading("Pagamento confirmado");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("result-title");
  });
});

describe("a buyer is not charged twice", () => {
  test("by a second click", async () => {
    const { page, ...checkout } = await openCheckout();
    await checkout.typeCard(APPROVED);

    await page.getByRole("button", { name: "Pagar" }).dblclick();

    await checkout.waitForHeading("Pagamento confirmado");
    expect(checkout.sandbox.gateway.transactions).toHaveLength(1);
  });

  test("if the service's response is lost: the page waits for the postback", async () => {
    const checkout = await openCheckout();
    const { gateway } = checkout.sandbox;
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

    await checkout.typeCard(APPROVED);
    await checkout.pay();
    await checkout.waitForHeading("Verificando o pagamento");
    expect(await checkout.page.locator("#pay").isVisible()).toBe(false);
    gateway.sendPostback(gateway.transactions[0]?.id ?? 0);

    await checkout.waitForHeading("Pagamento confirmado");
    expect(gateway.transactions).toHaveLength(1);
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

  test("if a request arrives after the buyer has sent it again", async () => {
    const checkout = await openCheckout();
    const late: (() => Promise<Response>)[] = [];
    await checkout.page.route("**/card", (route) => {
      if (late.length > 0) return route.continue();
      const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
      const body = route.request().postData() ?? "";
      late.push(() => fetch(route.request().url(), { method: "POST", headers, body }));
      return route.abort("connectionreset");
    });
    await checkout.typeCard(APPROVED);
    await checkout.pay();
    await checkout.page.getByText("A conexão com a loja falhou").waitFor();

    await checkout.pay();
    await checkout.waitForHeading("Pagamento confirmado");
    const response = await late[0]?.();

    expect(response?.status).toBe(409);
    expect(checkout.sandbox.gateway.transactions).toHaveLength(1);
  });
});

test.each([
  ["network", "abort", "A conexão falhou. Nada foi cobrado"],
  ["service", 500, "No momento não conseguimos receber cartões."],
] as const)(
  "a card that cannot be tokenized because of the %s is not charged, and can be tried again",
  async (_cause, failure, text) => {
    const { page, ...checkout } = await openCheckout();
    await page.route("**/api/v1/card-token**", (route) =>
      failure === "abort"
        ? route.abort("connectionreset")
        : route.fulfill({ status: failure, headers: { "access-control-allow-origin": "*" }, body: "" }),
    );

    await checkout.typeCard(APPROVED);
    await checkout.pay();

    await page.getByText(text).waitFor({ timeout: 20_000 });
    expect(await page.locator("#pay").isEnabled()).toBe(true);
    expect(checkout.sandbox.gateway.transactions).toEqual([]);
  },
);

test.each([
  ["is approved", undefined, "Pagamento confirmado"],
  ["gets no response", "charged_then_reset", "Verificando o pagamento"],
] as const)(
  "a card whose payment %s reaches neither the shop's server nor its log",
  async (_what, kind, heading) => {
    const written: string[] = [];
    for (const level of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, level).mockImplementation((...args) => void written.push(args.map(String).join(" ")));
    }
    const checkout = await openCheckout();
    if (kind !== undefined) checkout.sandbox.gateway.faults.add({ on: "transactions.create", kind });

    await checkout.typeCard("4539148803436467", { holderName: "ZULMIRA CANARIO", cvv: "8317" });
    await checkout.pay();
    await checkout.waitForHeading(heading);

    const sent = checkout.sent.join("\n");
    const logged = [...checkout.log, ...written].join("\n");
    expect(sent).toMatch(/"token":"eyJ/);
    for (const text of [sent, logged]) {
      expect(text.replaceAll(/[ +]|%20/g, "")).not.toMatch(/4539148803436467|ZULMIRA|"8317"/);
    }
    expect(logged).not.toMatch(/eyJ|pbsig|sk_|pk_/);
  },
);

/** A browser opens at most six connections to a host, in all tabs together. */
test("the last of eight open tabs shows the payment, too", async () => {
  const checkout = await openCheckout();
  let last = checkout.page;
  for (let count = 0; count < 7; count += 1) {
    last = await checkout.page.context().newPage();
    await last.goto(checkout.page.url(), { timeout: 10_000 });
  }
  await checkout.choosePix();
  checkout.sandbox.gateway.pay(checkout.sandbox.gateway.transactions[0]?.id ?? 0);

  await last.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
});

test("a form whose script did not load cannot submit a card", async () => {
  const { page } = await openCheckout();

  const names = await page
    .locator("#card input, #card select")
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("name")));
  const html = await (await fetch(page.url())).text();

  expect(names).toEqual([null, null, null, null, null]);
  expect(html).toMatch(/<button id="pay" disabled>/);
});
