import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, goShopping, REFUSED, type Shopping } from "./support/shopping.ts";

useBrowser();

/** Keeps the shop's answers to the page's payments back; what it gives lets them go. */
async function holdAnswers({ page }: Shopping): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { fetch } = window;
    const released = new Promise((resolve) => addEventListener("release", resolve, { once: true }));
    window.fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (/\/(card|pix)$/.test(String(input))) await released;
      return answer;
    };
  });
  return () => page.evaluate(() => void dispatchEvent(new Event("release")));
}

/** Keeps the shop's news back from now on; what it gives lets them go. */
async function holdNews({ page }: Shopping): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const { addEventListener: listen } = EventSource.prototype;
    EventSource.prototype.addEventListener = function (this: EventSource, type: string, listener: unknown) {
      listen.call(this, type, async (event: Event) => {
        const held = document.documentElement.dataset["news"] === "held";
        if (held) await new Promise((resolve) => addEventListener("release", resolve, { once: true }));
        if (typeof listener === "function") listener(event);
      });
    };
  });
  await page.reload();
  await page.locator("#pay-card:enabled").waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset["news"] = "held";
  });
  return () => page.evaluate(() => void dispatchEvent(new Event("release")));
}

const isIdle = ({ page }: Shopping) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

const lastCharge = ({ sandbox }: Shopping) => sandbox.gateway.transactions.at(-1)?.id ?? 0;

describe("the newest news count", () => {
  test("and not an answer that took longer", async () => {
    const shopping = await goShopping();
    const release = await holdAnswers(shopping);
    await shopping.typeCard("4000000000003220");
    await shopping.pay();
    await shopping.reads("Pagamento em análise");
    shopping.sandbox.gateway.clock.advance(5_000);
    await shopping.reads("Pagamento confirmado");

    await release();
    await isIdle(shopping);

    await shopping.reads("Pagamento confirmado");
    expect(await shopping.page.locator("#payment").isHidden()).toBe(true);
  });

  test("also those that come while the service has not answered yet", async () => {
    const shopping = await goShopping();
    shopping.sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
    await shopping.page.getByRole("tab", { name: "Pix" }).click();
    await shopping.page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect.poll(() => shopping.sandbox.gateway.transactions).toHaveLength(1);

    shopping.sandbox.gateway.pay(lastCharge(shopping));

    await shopping.reads("Pagamento confirmado");
    expect(shopping.charges()).toBe(1);
  });

  test("and not a refusal of what was paid meanwhile", async () => {
    const shopping = await goShopping();
    const release = await holdAnswers(shopping);
    await shopping.typeCard(APPROVED);
    await shopping.page.route("**/card", (route) => {
      const elsewhere = shopping.order().begin("card");
      if (elsewhere) shopping.order().settle(elsewhere, { status: "approved" });
      return route.continue();
    });
    await shopping.pay();
    await shopping.reads("Pagamento confirmado");

    await release();
    await isIdle(shopping);

    expect(await shopping.page.locator("#notice").isHidden()).toBe(true);
    expect(shopping.sandbox.gateway.transactions).toEqual([]);
  });
});

test("what a buyer was told of a payment is not taken away by late news of the same payment", async () => {
  const shopping = await goShopping();
  const release = await holdNews(shopping);
  shopping.sandbox.gateway.faults.add({ on: "transactions.create", kind: "rate_limited" });
  await shopping.typeCard(APPROVED);
  await shopping.pay();
  const told = shopping.page.getByText("Não foi possível fazer o pagamento agora.");
  await told.waitFor();

  await release();
  await isIdle(shopping);

  expect(await told.isVisible()).toBe(true);
  expect(await shopping.page.locator("#pay-card").isEnabled()).toBe(true);
});

test("a page goes on hearing of its order after the shop's proxy answered in its place", async () => {
  const shopping = await goShopping();
  await shopping.page.route("**/events", (route) => route.fulfill({ status: 502 }), { times: 1 });

  await shopping.page.reload();

  await shopping.page.locator("#pay-card:enabled").waitFor();
});

test("the card that is charged is the one that was there when the buyer paid", async () => {
  const { page, ...shopping } = await goShopping();
  await page.route(
    "**/card",
    async (route) => {
      shopping.sandbox.gateway.clock.advance(6 * 60_000); // so that a second token is made
      await page.getByLabel("Número do cartão").fill(REFUSED);
      await route.continue();
    },
    { times: 1 },
  );

  await shopping.typeCard(APPROVED);
  await shopping.pay();

  await shopping.reads("Pagamento confirmado");
  expect(shopping.charges()).toBe(1);
});

test("a payment that was cancelled is told as that, and may be made again", async () => {
  const shopping = await goShopping();
  await shopping.typeCard("4000000000003220");
  await shopping.pay();
  await shopping.reads("Pagamento em análise");

  shopping.sandbox.gateway.cancel(lastCharge(shopping));

  await shopping.page.getByText("O pagamento foi cancelado. Nada foi cobrado").waitFor();
  await shopping.page.locator("#pay-card:enabled").waitFor();
});

test("a code whose time is over says so before the service does", async () => {
  const shopping = await goShopping();
  await shopping.page.clock.install();
  await shopping.page.getByRole("tab", { name: "Pix" }).click();
  await shopping.page.getByRole("button", { name: "Gerar código Pix" }).click();
  await shopping.reads("Pague com Pix");

  await shopping.page.clock.fastForward("24:00:01");

  await shopping.page.getByText("o código expirou: não o use mais").waitFor();
});
