import { describe, expect, test, vi } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, goShopping, type Shopping } from "./support/shopping.ts";

useBrowser();

const lastCharge = ({ sandbox }: Shopping) => sandbox.gateway.transactions.at(-1)?.id ?? 0;

describe("nobody is charged twice", () => {
  test("by a second click", async () => {
    const { page, ...shopping } = await goShopping();
    await shopping.typeCard(APPROVED);

    await page.getByRole("button", { name: "Pagar" }).dblclick();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.sandbox.gateway.transactions).toHaveLength(1);
  });

  test("by a second tab", async () => {
    const first = await goShopping();
    await first.typeCard(APPROVED);
    const second = await first.page.context().newPage();
    await second.goto(`${first.page.url().split("?")[0]}?demo`);
    await second.getByLabel("Número do cartão").fill(APPROVED);
    await second.getByLabel("Nome impresso no cartão").fill("MARIA EXEMPLO");
    await second.getByLabel("Validade").fill("12/39");
    await second.getByLabel("Código (CVV)").fill("123");

    let payments = 0;
    // Neither tab hears of the other before both have sent their payment.
    await first.page.context().route("**/card", async (route) => {
      payments += 1;
      await vi.waitUntil(() => payments === 2, { timeout: 10_000 });
      await route.continue();
    });

    await Promise.all([first.pay(), second.getByRole("button", { name: "Pagar" }).click()]);

    await first.reads("Pagamento confirmado");
    await second.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    expect(first.sandbox.gateway.transactions).toHaveLength(1);
  });

  test("by two requests at the same time, made by hand", async () => {
    const { page, ...shopping } = await goShopping();
    const buyer = { name: "Maria", email: "m@example.com", phone: "11999998888", document: "52998224725" };

    const statuses = await page.evaluate(
      (body) =>
        Promise.all(
          Array.from({ length: 5 }, () =>
            fetch(`${location.pathname}/pix`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body,
            }).then(({ status }) => status),
          ),
        ),
      JSON.stringify({ buyer, revision: 0 }),
    );

    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect(shopping.sandbox.gateway.transactions).toHaveLength(1);
  });

  test("when the answer gets lost after the charge: the page waits for the postback", async () => {
    const shopping = await goShopping();
    shopping.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

    await shopping.typeCard(APPROVED);
    await shopping.pay();
    await shopping.reads("Verificando o pagamento");
    expect(await shopping.page.getByRole("button", { name: "Pagar" }).isVisible()).toBe(false);
    shopping.sandbox.gateway.sendPostback(lastCharge(shopping));

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
  });

  test("when the shop's own answer gets lost: the page asks what became of it", async () => {
    const shopping = await goShopping();
    await shopping.page.evaluate(() => {
      const { fetch } = window;
      window.fetch = async (input, init) => {
        const answer = await fetch(input, init);
        if (String(input).endsWith("/card")) throw new TypeError("Failed to fetch");
        return answer;
      };
    });

    await shopping.typeCard(APPROVED);
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.sandbox.gateway.transactions).toHaveLength(1);
  });
});

describe("what charged nobody may be tried again", () => {
  test("when the request never reached the shop", async () => {
    const shopping = await goShopping();
    await shopping.page.route("**/card", (route) => route.abort("connectionreset"), { times: 1 });

    await shopping.typeCard(APPROVED);
    await shopping.pay();
    await shopping.page.getByText("A conexão com a loja falhou. Nada foi cobrado").waitFor();
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
  });

  test("when the service refuses the request", async () => {
    const shopping = await goShopping();
    shopping.sandbox.gateway.faults.add({ on: "transactions.create", kind: "rate_limited", times: 1 });

    await shopping.typeCard(APPROVED);
    await shopping.pay();
    await shopping.page.getByText("Não foi possível fazer o pagamento agora. Nada foi cobrado").waitFor();
    await shopping.pay();

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
  });

  test("when the answer to a pix gets lost: nobody pays a code that nobody saw", async () => {
    const { page, ...shopping } = await goShopping();
    shopping.sandbox.gateway.faults.add({ on: "transactions.create", kind: "html_502" });
    await page.getByRole("tab", { name: "Pix" }).click();

    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await page.getByText("Não foi possível fazer o pagamento agora. Nada foi cobrado").waitFor();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();

    await shopping.reads("Pague com Pix");
  });

  test("and what the network delivers later is not done", async () => {
    const { page, ...shopping } = await goShopping();
    const late: { url: string; body: string }[] = [];
    await page.route("**/card", (route) => {
      late.push({ url: route.request().url(), body: route.request().postData() ?? "" });
      return route.abort("connectionreset");
    });

    await shopping.typeCard(APPROVED);
    await shopping.pay();
    await page.getByText("Nada foi cobrado: tente de novo.").waitFor();
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const [{ url, body } = { url: "", body: "" }] = late;
    const answer = await fetch(url, { method: "POST", headers, body });

    expect(answer.status).toBe(409);
    expect(shopping.sandbox.gateway.transactions).toEqual([]);
  });

  test("but a shop does not let cards be tested without end", async () => {
    const shopping = await goShopping();

    for (let card = 0; card < 3; card += 1) {
      await shopping.typeCard("4000000000000002");
      await shopping.pay();
      await expect.poll(() => shopping.order().refusals, { timeout: 10_000 }).toBe(card + 1);
      await shopping.page.locator("#pay-card:enabled").waitFor();
    }
    await shopping.pay();

    await shopping.page.getByText("Foram muitas tentativas.").waitFor();
    expect(shopping.sandbox.gateway.transactions).toHaveLength(3);
  });
});
