import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { freePort } from "../../support/free-port.ts";
import { run } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { root } from "../../support/tool.ts";
import { filesIn, type SiteOptions, startDocumentedSite } from "./documented-site.ts";
import { buildFrameworkPage, type FrameworkName } from "./framework-page.ts";

useBrowser();

async function startedSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Starts the documented server where `index.html` is, and returns its address. */
async function startServer({ baseUrl }: Sandbox): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, content] of filesIn("elements.md", baseUrl)) writeFileSync(join(folder, name), content);
  const env = [`PORT=${await freePort()}`, `PAYMENTS_BASE_URL=${baseUrl}`];
  const server = run("env", [...env, "node", join(root, "docs/samples/checkout-server.mjs")], folder);
  onTestFinished(server.kill);
  const [address] = await server.printed(/http:\S+/);
  return address;
}

/** The page without a framework, as the documentation has it. */
function plainPage(service: string): Map<string, string> {
  const files = filesIn("elements.md", service);
  for (const file of ["elements.global.js", "elements.css"]) {
    files.set(file, readFileSync(join(root, "dist", file), "utf8"));
  }
  return files;
}

/** Opens a page of the documentation in front of the documented server, and records what that receives at /pay. */
async function open(sandbox: Sandbox, files = plainPage(sandbox.baseUrl)) {
  const address = await startServer(sandbox);
  const received: string[] = [];
  const shop: SiteOptions["shop"] = async (path, body) => {
    if (path === "/pay") received.push(body);
    const response = await fetch(address + path, { method: "POST", body });
    return response.ok ? await response.json() : undefined;
  };
  const extraPolicy = "; require-trusted-types-for 'script'"; // allowed by docs/pci.md
  const url = await startDocumentedSite({ service: sandbox.baseUrl, files, extraPolicy, shop });
  return { ...(await visit(url)), url, received };
}

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";

async function payByCard(page: Page, number = APPROVED): Promise<void> {
  await page.getByLabel("Card number").pressSequentially(number);
  await page.getByLabel("Name on card").fill("Maria Exemplo");
  await page.getByLabel("Expiry date").pressSequentially("0339");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay R$" }).click();
}

const messageIn = (page: Page) => expect.poll(() => page.locator("#message").textContent());

async function paysByCardAndByPix({ gateway }: Sandbox, page: Page): Promise<void> {
  await payByCard(page);
  await messageIn(page).toContain("Paid");
  await page.getByRole("button", { name: "Pay with pix" }).click();
  const code = await page.locator(".payment-pix-code").inputValue();
  gateway.pay(gateway.transactions.at(-1)?.id ?? 0);

  await expect.poll(() => page.locator("payment-pix").getAttribute("status")).toBe("approved");
  expect(code).toMatch(/^000201/);
  expect(gateway.transactions.map(({ status }) => status)).toEqual(["approved", "approved"]);
  expect(await page.getByLabel("Card number").inputValue()).toBe("");
}

test("the documented server and the page without a framework take a card and a pix", async () => {
  const sandbox = await startedSandbox();
  const { page, browserErrors } = await visit(await startServer(sandbox));

  await paysByCardAndByPix(sandbox, page);

  expect(browserErrors).toEqual([]);
});

test.each<[FrameworkName, string]>([
  ["react", ""],
  ["react", "#hydrate"],
  ["vue", ""],
  ["svelte", ""],
])(
  "the documented page for %s%s compiles strictly, and takes a card and a pix under the documented policy",
  async (name, hash) => {
    const sandbox = await startedSandbox();
    const files = await buildFrameworkPage(name, sandbox.baseUrl);
    const { page, hosts, browserErrors, url, received } = await open(sandbox, files);
    if (hash !== "") await page.goto(`${url}/${hash}`).then(() => page.reload());

    await paysByCardAndByPix(sandbox, page);

    expect(received).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
    expect(browserErrors).toEqual([]);
  },
  120_000,
);

test("after a refusal the buyer types the security code again, and pays with a new token", async () => {
  const { page, received } = await open(await startedSandbox());

  await payByCard(page, DECLINED);
  await messageIn(page).toContain("declined");
  expect(await page.getByLabel("Security code").inputValue()).toBe("");
  await page.getByLabel("Card number").fill("");
  await payByCard(page);

  await messageIn(page).toContain("Paid");
  expect(new Set(received).size).toBe(2);
});

test("without a token nothing is sent to the shop, and the buyer may try again", async () => {
  const sandbox = await startedSandbox();
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
  const { page, received } = await open(sandbox);

  await payByCard(page);

  const status = page.locator("payment-card-form .payment-status");
  await expect.poll(() => status.textContent()).toContain("You have not been charged");
  expect(received).toEqual([]);
  expect(await page.getByRole("button", { name: "Pay R$" }).isEnabled()).toBe(true);
});

test("if the response of the service is lost, the page asks the buyer not to pay again", async () => {
  const sandbox = await startedSandbox();
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
  const { page } = await open(sandbox);

  await payByCard(page);

  await messageIn(page).toContain("do not pay again");
  expect(await page.getByRole("button", { name: "Pay R$" }).isDisabled()).toBe(true);
});
