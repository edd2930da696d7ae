import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { sqliteStore } from "payments-sdk/idempotency";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { freePort, type Running, run } from "../../support/running.ts";
import { createLojaFolder } from "./loja-folder.ts";

useBrowser();

const folder = createLojaFolder();
const shops: Running[] = [];
let sandbox: Sandbox;
let shop: Awaited<ReturnType<typeof startShop>>;

/** Runs docs/samples/loja.mjs as a reader of docs/pt/loja-ate-sexta.md does. */
async function startShop(...settings: string[]) {
  const running = run("env", [...settings, `PORT=${await freePort()}`, "node", "loja.mjs"], folder);
  shops.push(running);
  const [, url = ""] = await running.printed(/^Loja: (\S+)$/m);
  return { ...running, url };
}

beforeAll(async () => {
  sandbox = await startSandbox({ pixFields: "endpoint" });
  shop = await startShop(
    `PAYMENTS_BASE_URL=${sandbox.baseUrl}`,
    `PAYMENTS_SECRET_KEY=${sandbox.secretKey}`,
    `PAYMENTS_PUBLIC_KEY=${sandbox.publicKey}`,
    "PAYMENTS_POSTBACK_SECRET=for this test only, never in a shop",
  );
});

afterAll(async () => {
  for (const { kill } of shops) kill();
  await Promise.all(shops.map(({ ended }) => ended));
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function openOrder() {
  const { page, browserErrors } = await visit(shop.url);
  await page.getByRole("button", { name: "Comprar" }).click();
  await page.waitForURL(/pedidos/);
  return { page, browserErrors, reference: page.url().split("/").at(-2) ?? "" };
}

async function payByCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Número do cartão").pressSequentially(number);
  await page.getByLabel("Nome impresso no cartão").fill("Maria Exemplo");
  await page.getByLabel("Validade").pressSequentially("0339");
  await page.getByLabel("CVV").fill("123");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
}

/** The paths of the requests that the page sends from now on. */
function pathsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

const shows = (page: Page, text: string) => page.getByText(text).waitFor();

test("the documented shop takes a pix, its page only requests the status, and its postback pays the order", async () => {
  const { page, reference, browserErrors } = await openOrder();

  await page.getByRole("button", { name: "Pagar com Pix" }).click();
  const code = await page.locator(".payment-pix-code").inputValue();
  const requested = pathsOf(page);
  await page.waitForResponse(/\/status\?/);
  await page.waitForResponse(/\/status\?/);
  expect(new Set(requested)).toEqual(new Set(["/status"]));
  const transaction = sandbox.gateway.transactions.at(-1);
  sandbox.gateway.pay(transaction?.id ?? 0);
  await shop.printed(new RegExp(`Pedido ${reference} pago`));

  await shows(page, "Pagamento confirmado");
  requested.length = 0;
  await setTimeout(3_000);
  expect(requested).toEqual([]);
  expect(code).toBe(transaction?.pix?.qrcodeText);
  expect(browserErrors).toEqual([]);
});

test("after a pix has expired, the buyer is not asked to pay again, but can", async () => {
  const { page } = await openOrder();
  await page.getByRole("button", { name: "Pagar com Pix" }).click();
  const expired = await page.locator(".payment-pix-code").inputValue();

  sandbox.gateway.expire(sandbox.gateway.transactions.at(-1)?.id ?? 0);
  await page.getByRole("button", { name: "Pagar com Pix" }).waitFor();
  const text = await page.textContent("body");
  await page.getByRole("button", { name: "Pagar com Pix" }).click();

  expect(text).toContain("Se você já pagou, não pague de novo");
  expect(text).not.toContain("nada foi cobrado");
  expect(await page.locator(".payment-pix-code").inputValue()).not.toBe(expired);
});

test("after a refused card, the buyer pays the same order with another one", async () => {
  const { page, reference, browserErrors } = await openOrder();

  await payByCard(page, "4000000000009995");
  await shows(page, "nada foi cobrado");
  await payByCard(page, "4111111111111111");
  await shows(page, "Pagamento confirmado");

  expect(shop.stdout()).toContain(`Pedido ${reference} pago`);
  expect(sandbox.gateway.chargesFor(reference)).toHaveLength(1);
  expect(browserErrors).toEqual([]);
});

test("an order that a person has marked as paid cannot be paid again, although the store does not know the payment", async () => {
  const { page, reference, browserErrors } = await openOrder();
  const orders = new DatabaseSync(join(folder, "pedidos.db"));
  orders.prepare("UPDATE pedidos SET pago = 1 WHERE ref = ?").run(reference);
  orders.close();

  await page.getByRole("button", { name: "Pagar com Pix" }).click(); // on the page from before
  await shows(page, "Pagamento confirmado");

  expect(sandbox.gateway.transactions.map(({ externalId }) => externalId)).not.toContain(reference);
  expect(browserErrors).toEqual([]);
});

test("at start-up the shop handles the postbacks that an ended process left, and on SIGTERM it ends", async () => {
  const key = { trust: "signed", externalRef: "left", id: 7, rawStatus: "approved", amount: 1990 } as const;
  const store = sqliteStore(join(folder, "payments.db"));
  await store.claimPostback(key, "ended", 60_000, { signedAmount: 1990 });
  await store.releasePostback(key, "ended", { name: "Error", retryAfterMs: 60_000 });
  store.close();

  const restarted = await startShop("-u", "PAYMENTS_BASE_URL");
  await expect.poll(restarted.stderr).toContain("Pedido left pago, mas não encontrado");
  restarted.signal("SIGTERM");

  expect(await restarted.ended).toBe(0);
});

test("without an account, the documented shop starts its own sandbox", async () => {
  const { stdout, url } = await startShop("-u", "PAYMENTS_BASE_URL");

  expect(stdout()).toMatch(/^Painel do sandbox: http:\/\/127\.0\.0\.1:\d+$/m);
  expect((await fetch(url)).status).toBe(200);
});
