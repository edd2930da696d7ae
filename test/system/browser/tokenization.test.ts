import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { CANARY_CARD, openShop } from "./support/shop-page.ts";
import type { Form } from "./support/site.ts";

useBrowser();

const FORMS: readonly Form[] = ["global", "module"];

async function sandbox() {
  const started = await startSandbox();
  onTestFinished(() => started.close());
  return started;
}

describe.each(FORMS)("in a page with a strict policy, loaded as %s", (form) => {
  test("a card becomes a token that pays", async () => {
    const { baseUrl, publicKey, secretKey } = await sandbox();
    const shop = await openShop(baseUrl, form);

    const { token } = await shop.tokenize({ publicKey });

    expect(token).toEqual({ value: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/), expired: false });
    const paid = await pay(baseUrl, `${secretKey}:${publicKey}`, token?.value);
    expect(paid).toMatchObject({ data: { status: "approved" } });
  });

  test("nothing violates the policy, and no card data stays behind", async () => {
    const { baseUrl, publicKey } = await sandbox();
    const shop = await openShop(baseUrl, form);

    await shop.tokenize({ publicKey });

    expect(await shop.violations()).toEqual([]);
    expect(await shop.traces()).toEqual([]);
  });

  test("the wrong inputs are named, all at once", async () => {
    const { baseUrl, publicKey } = await sandbox();
    const shop = await openShop(baseUrl, form);

    const { error } = await shop.tokenize({ publicKey }, { ...CANARY_CARD, number: "4539", cvv: "83" });

    expect(error).toMatchObject({ code: "invalid_request", actor: "customer" });
    expect(error?.issues.map(({ field }) => field)).toEqual(["number", "cvv"]);
  });
});

test.each(["global", "module"])("in a Web Worker, loaded as %s", async (form) => {
  const { baseUrl, publicKey } = await sandbox();
  const shop = await openShop(baseUrl, "module");

  const { token } = await shop.page.evaluate(
    ([kind, options, card]) =>
      new Promise<{ token?: { value: string } }>((resolve, reject) => {
        const worker = new Worker(`/worker-with-${kind}.js`);
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage([options, card]);
      }),
    [form, { baseUrl, publicKey }, CANARY_CARD] as const,
  );

  expect(token?.value).toMatch(/^eyJ/);
  expect(await shop.violations()).toEqual([]);
});

test("a file that is not the one of the hash is not run", async () => {
  const { baseUrl } = await sandbox();
  const other = `sha384-${"A".repeat(64)}`;

  const shop = await openShop(baseUrl, "global", { integrity: other });

  expect(await shop.page.evaluate(() => "PaymentsSDK" in window)).toBe(false);
});

test("a token in the console of a browser does not show itself", async () => {
  const { baseUrl } = await sandbox();
  const { page } = await openShop(baseUrl, "module");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Runtime.enable");
  const logged = new Promise<unknown>((resolve) =>
    devTools.once("Runtime.consoleAPICalled", ({ args }) => resolve(args)),
  );

  await page.evaluate(() => console.log(new window.cardPage.sdk.CardToken("tok_canary")));

  const shown = JSON.stringify(await logged);
  expect(shown).toContain("expiresAt");
  expect(shown).not.toContain("tok_canary");
});

test("the global holds what the module does", async () => {
  const { baseUrl } = await sandbox();
  const names = async (form: Form) => {
    const { page } = await openShop(baseUrl, form);
    return page.evaluate(() => Object.keys(window.cardPage.sdk).sort());
  };

  const [asGlobal, asModule] = [await names("global"), await names("module")];

  expect(asGlobal).toEqual(asModule);
  expect(asGlobal).toContain("CardTokenizer");
});

async function pay(baseUrl: string, keys: string, hash: string | undefined): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/api/v1/transactions`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(keys)}`, "content-type": "application/json" },
    body: JSON.stringify({
      paymentMethod: "credit_card",
      amount: 1990,
      installments: "1",
      card: { hash },
      customer: {
        name: "Maria Exemplo",
        email: "maria@example.com",
        phone: "11999998888",
        document: { type: "cpf", number: "52998224725" },
      },
      externalRef: "order-1",
      postbackUrl: `${baseUrl}/sandbox/inbox`,
      traceable: true,
      items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
      ip: "203.0.113.7",
      metadata: "{}",
    }),
  });
  return answer.json();
}
