import express from "express";
import { type Shop, type ShopService, shopTests } from "payments-sdk/testing";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { startShop, viewOf } from "./adapter.ts";
import { createShop, type Settings } from "./shop.ts";

function createApp({ baseUrl, publicKey, ...settings }: Settings) {
  const { pay, show, postbacks } = createShop({ ...settings, baseUrl, publicKey });
  const forms = `<form method="post"><button>Pay with pix</button></form><form method="post">
    <payment-card-form name="token" base-url="${baseUrl}" public-key="${publicKey}"></payment-card-form>
    <button>Pay by card</button></form>`;
  const app = express();
  app.all("/postbacks", postbacks.node);
  app.use(express.urlencoded());
  app.get(["/elements.css", "/elements.global.js"], ({ path }, response) =>
    response.sendFile(path, { root: "node_modules/payments-sdk/dist" }),
  );
  app.get("/orders/:id", async ({ params }, response) => {
    const { text, code } = await show(params.id);
    response.send(`<!doctype html><html lang="en"><link rel="stylesheet" href="/elements.css">
      <script src="/elements.global.js"></script><p>${text}</p>${code ? `<payment-pix code="${code}"></payment-pix>` : ""}
      ${/Nothing|declined/.test(text) ? forms : ""}`);
  });
  app.post("/orders/:id", async ({ params, body }, response) => {
    await pay(params.id, body?.token);
    response.redirect(303, `/orders/${params.id}`);
  });
  return app;
}

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch();
});
afterAll(() => browser.close());

async function start(service: ShopService): Promise<Shop> {
  const shop = await startShop(service, createApp);
  async function visit(id: string, use?: (page: Page) => Promise<unknown>) {
    const page = await browser.newPage();
    try {
      await page.goto(`${shop.url}/orders/${id}`);
      await use?.(page);
      return viewOf(await page.innerText("body"));
    } finally {
      await page.close();
    }
  }
  return {
    ...shop,
    view: (id) => visit(id),
    pay({ id, amount, card }) {
      shop.orders.set(id, { amount, ...shop.orders.get(id) });
      return visit(id, async (page) => {
        const button = page.getByRole("button", { name: card ? "Pay by card" : "Pay with pix" });
        if (!(await button.isVisible())) return; // the page offers no payment
        if (card) {
          const { expirationMonth: month, expirationYear: year } = card;
          await page.getByLabel("Card number").fill(String(card.number));
          await page.getByLabel("Name on card").fill(card.holderName);
          await page.getByLabel("Expiry").fill(`${String(month).padStart(2, "0")}${String(year).slice(-2)}`);
          await page.getByLabel("CVV").fill(card.cvv);
        }
        const paid = page.waitForEvent("load");
        const noToken = page.getByText("You have not been charged").waitFor(); // the service may be down
        await button.click();
        await Promise.any([paid, noToken]);
      });
    },
  };
}

const tests = shopTests({ start, timeoutMs: 20_000 });
for (const { name, run } of tests) test.concurrent(name, run, 60_000);
