import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { aCardPayment, aPix, bodyOf, merchant } from "../../sandbox/support/wire.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { root } from "../../support/tool.ts";
import { filesIn, type SiteOptions, startDocumentedSite } from "./documented-site.ts";
import { buildFrameworkPage, type FrameworkName } from "./framework-page.ts";

useBrowser();

type Shop = NonNullable<SiteOptions["shop"]>;

async function startedSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A merchant's server for one order, with what it received at /pay. */
function shopOf(sandbox: Sandbox) {
  const { create } = merchant(sandbox, fetch);
  const received: string[] = [];
  let pixId = 0;
  const shop: Shop = async (path, body) => {
    if (path === "/status")
      return { status: sandbox.gateway.transactions.find(({ id }) => id === pixId)?.status };
    if (path === "/pix") {
      const { data } = await bodyOf(await create(aPix({ externalRef: "pix-order" })));
      pixId = data.id;
      return data.pix;
    }
    received.push(body);
    const { token } = JSON.parse(body) as { token: string };
    const { data } = await bodyOf(await create(aCardPayment(token, { externalRef: "card-order" })));
    return data.status === "approved" ? { text: "Paid" } : { text: "Not accepted", again: true };
  };
  return { shop, received, payPix: () => sandbox.gateway.pay(pixId) };
}

/** The page without a framework, as the documentation has it. */
function plainPage(service: string): Map<string, string> {
  const files = filesIn("elements.md", service);
  for (const file of ["elements.global.js", "elements.css"]) {
    files.set(file, readFileSync(join(root, "dist", file), "utf8"));
  }
  return files;
}

async function open(sandbox: Sandbox, shop: Shop, files = plainPage(sandbox.baseUrl)) {
  const extraPolicy = "; require-trusted-types-for 'script'"; // allowed by docs/pci.md
  const url = await startDocumentedSite({ service: sandbox.baseUrl, files, extraPolicy, shop });
  return { ...(await visit(url)), url };
}

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").pressSequentially(number);
  await page.getByLabel("Name on card").fill("Maria Exemplo");
  await page.getByLabel("Expiry date").pressSequentially("0339");
  await page.getByLabel("Security code").fill("123");
}

async function payByCard(page: Page, number = APPROVED): Promise<void> {
  await typeCard(page, number);
  await page.getByRole("button", { name: "Pay R$" }).click();
}

const messageIn = (page: Page) => expect.poll(() => page.locator("#message").textContent());

async function paysByCardAndByPix(sandbox: Sandbox, files: Map<string, string>, hash = ""): Promise<void> {
  const { shop, received, payPix } = shopOf(sandbox);
  const { page, hosts, browserErrors, url } = await open(sandbox, shop, files);
  if (hash !== "") await page.goto(`${url}/${hash}`).then(() => page.reload());

  await payByCard(page);
  await messageIn(page).toBe("Paid");
  await page.getByRole("button", { name: "Pay with pix" }).click();
  const code = await page.locator(".payment-pix-code").inputValue();
  payPix();
  await expect.poll(() => page.locator("payment-pix .payment-status").textContent()).not.toBe("");

  expect(received).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
  expect(code).toMatch(/^000201/);
  expect(await page.locator("payment-pix").getAttribute("status")).toBe("approved");
  expect(sandbox.gateway.chargesFor("card-order")).toHaveLength(1);
  expect(await page.getByLabel("Card number").inputValue()).toBe("");
  expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
  expect(browserErrors).toEqual([]);
}

test("the documented page without a framework takes a card and a pix under the documented policy", async () => {
  const sandbox = await startedSandbox();

  await paysByCardAndByPix(sandbox, plainPage(sandbox.baseUrl));
});

test.each<[FrameworkName, string]>([
  ["react", ""],
  ["react", "#hydrate"],
  ["vue", ""],
  ["svelte", ""],
])(
  "the documented page for %s%s compiles strictly, and takes a card and a pix",
  async (name, hash) => {
    const sandbox = await startedSandbox();
    const files = await buildFrameworkPage(name, sandbox.baseUrl);

    await paysByCardAndByPix(sandbox, files, hash);
  },
  120_000,
);

test("after a refusal the buyer types the security code again, and pays with a new token", async () => {
  const sandbox = await startedSandbox();
  const { shop, received } = shopOf(sandbox);
  const { page } = await open(sandbox, shop);

  await payByCard(page, DECLINED);
  await messageIn(page).toBe("Not accepted");
  expect(await page.getByLabel("Security code").inputValue()).toBe("");
  await page.getByLabel("Card number").fill("");
  await payByCard(page);

  await messageIn(page).toBe("Paid");
  expect(new Set(received).size).toBe(2);
});

test("without a token nothing is sent to the shop, and the buyer may try again", async () => {
  const sandbox = await startedSandbox();
  const { shop, received } = shopOf(sandbox);
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
  const { page } = await open(sandbox, shop);

  await payByCard(page);

  const status = page.locator("payment-card-form .payment-status");
  await expect.poll(() => status.textContent()).toContain("You have not been charged");
  expect(received).toEqual([]);
  expect(await page.getByRole("button", { name: "Pay R$" }).isEnabled()).toBe(true);
});

test("if the shop's response is lost, the page asks the buyer not to pay again", async () => {
  const { page } = await open(await startedSandbox(), async () => undefined);

  await payByCard(page);

  await messageIn(page).toContain("Please do not pay again");
  expect(await page.getByRole("button", { name: "Pay R$" }).isDisabled()).toBe(true);
});

test("the documented call without a form, and with a custom fetch, sends the token", async () => {
  const sandbox = await startedSandbox();
  const { shop, received } = shopOf(sandbox);
  const files = plainPage(sandbox.baseUrl);
  const scripts = ["own-fetch.js", "without-a-form.js"].map((file) => `<script src="/${file}"></script>`);
  files.set("index.html", `${files.get("index.html")}${scripts.join("")}`);
  const { page } = await open(sandbox, shop, files);
  await typeCard(page, APPROVED);

  const answer = await page.evaluate(() => (window as unknown as { pay(): Promise<object> }).pay());

  expect(answer).toEqual({ text: "Paid" });
  expect(received).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
});
