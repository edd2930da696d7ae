import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Sandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { fillCard, useBrowser, visit } from "../../support/browsing.ts";
import { freePort, root } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startProgram } from "../rehearsals/support/program.ts";
import { filesIn, type SiteOptions, startDocumentedSite } from "./documented-site.ts";
import { buildFrameworkPage, type FrameworkName, installFrameworkTools } from "./framework-page.ts";

useBrowser();
beforeAll(installFrameworkTools, 120_000);

/** Starts the documented server where `index.html` is, and returns its address. */
async function startServer(sandbox: Sandbox): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, content] of filesIn("elements.md", sandbox.baseUrl)) {
    writeFileSync(join(folder, name), content);
  }
  const program = join(root, "docs/samples/checkout-server.mjs");
  const server = await startProgram([program], sandbox, { port: await freePort(), folder });
  onTestFinished(server.stop);
  return server.url;
}

const JSON_TYPE = { "content-type": "application/json" };

const SAMPLES = ["docs/samples/checkout.js", "docs/samples/checkout.css"];

/** The page without a framework, as the documentation has it. */
function plainPage(service: string): Map<string, string> {
  const files = filesIn("elements.md", service);
  for (const file of [
    "dist/elements.global.js",
    "dist/elements.css",
    "dist/elements-brands.css",
    ...SAMPLES,
  ]) {
    files.set(basename(file), readFileSync(join(root, file), "utf8"));
  }
  return files;
}

/** Opens a page of the documentation in front of the documented server, and records what that receives at /pay. */
async function open(sandbox: Sandbox, files = plainPage(sandbox.baseUrl)) {
  const address = await startServer(sandbox);
  const received: string[] = [];
  const shop: SiteOptions["shop"] = async (path, body) => {
    if (path === "/pay") received.push(body);
    const response = await fetch(
      address + path,
      body === "" ? {} : { method: "POST", headers: JSON_TYPE, body },
    );
    return response.ok ? await response.json() : undefined;
  };
  const extraPolicy = "; require-trusted-types-for 'script'"; // allowed by docs/pci.md
  const url = await startDocumentedSite({ service: sandbox.baseUrl, files, extraPolicy, shop });
  return { ...(await visit(url)), url, received };
}

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";

async function payByCard(page: Page, number = APPROVED): Promise<void> {
  await fillCard(page, number);
  await page.getByRole("button", { name: "Pay R$" }).click();
}

const messageIn = (page: Page) => expect.poll(() => page.locator("#message").textContent());

const lastIdOf = ({ gateway }: Sandbox) => gateway.transactions.at(-1)?.id ?? 0;

/**
 * The buyer's card is declined. A first pix expires by the countdown alone, for which the server has no other code, and
 * then at the service. Returns when the page shows a second one.
 */
async function getsASecondPix(sandbox: Sandbox, page: Page): Promise<void> {
  await payByCard(page, DECLINED);
  await messageIn(page).toContain("declined");
  await page.getByRole("button", { name: "Pay with pix" }).click();
  const code = page.locator(".payment-pix-code");
  const expired = await code.inputValue();
  await page.locator("payment-pix").evaluate((pix) => pix.setAttribute("expires-at", "2020-01-01T00:00:00Z"));
  await page.getByRole("button", { name: "New code" }).click();
  await expect.poll(() => code.inputValue()).toBe(expired);
  expect(await page.getByRole("button", { name: "New code" }).isVisible()).toBe(false);
  sandbox.gateway.expire(lastIdOf(sandbox));
  await page.getByRole("button", { name: "New code" }).click();
  await expect.poll(() => code.inputValue()).not.toBe(expired);
  expect(expired).toMatch(/^000201/);
}

const isFormVisible = (page: Page) => page.locator("form").isVisible();

const post = async (url: string, body = {}) =>
  (await fetch(url, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) })).json();

test("the documented server and the page without a framework take a pix, and then no card", async () => {
  const sandbox = await start();
  const address = await startServer(sandbox);
  const { page, browserErrors } = await visit(address);

  await getsASecondPix(sandbox, page);
  sandbox.gateway.pay(lastIdOf(sandbox));

  await page.getByText("Payment confirmed").waitFor();
  expect(await isFormVisible(page)).toBe(false);
  expect(browserErrors).toEqual([]);
  expect(await post(`${address}/pay`, { token: "unused" })).toEqual({
    text: expect.stringContaining("paid"),
  });
  expect(sandbox.gateway.transactions).toHaveLength(3);
});

test("the documented page offers a new code after a cancelled pix, and the server none for a code that may have been paid", async () => {
  const sandbox = await start();
  const { page } = await visit(await startServer(sandbox));
  await page.getByRole("button", { name: "Pay with pix" }).click();
  await page.locator(".payment-pix-code").waitFor();
  sandbox.gateway.cancel(lastIdOf(sandbox));
  await page.getByRole("button", { name: "New code" }).click();
  await page.locator(".payment-pix-code").waitFor();
  expect(sandbox.gateway.transactions).toHaveLength(2);

  const late = await startServer(await start({ now: Date.now() - 172_800_000 })); // no postback reports the expiry
  expect(await post(`${late}/pix`)).toEqual({ text: expect.stringContaining("has expired") });
});

test.each<[FrameworkName, string]>([
  ["react", ""],
  ["react", "server.html"],
  ["vue", ""],
  ["svelte", ""],
])(
  "the documented page for %s %s compiles strictly, and takes a card and a pix under the documented policy",
  async (name, file) => {
    const sandbox = await start();
    const files = await buildFrameworkPage(name, sandbox.baseUrl);
    const { page, hosts, browserErrors, url, received } = await open(sandbox, files);
    if (file !== "") await page.goto(`${url}/${file}`);

    await getsASecondPix(sandbox, page);
    await page.getByLabel("Card number").fill("");
    await payByCard(page);
    await messageIn(page).toContain("Paid");
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
    expect(await page.locator("payment-pix").count()).toBe(0);

    const { page: other } = await open(sandbox, files); // another order
    await getsASecondPix(sandbox, other);
    sandbox.gateway.pay(lastIdOf(sandbox));
    await other.getByText("Payment confirmed").waitFor();
    await expect.poll(() => isFormVisible(other)).toBe(false);
    const aToken = expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/);
    expect(received).toEqual([aToken, aToken]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
    expect(browserErrors).toEqual([]);
  },
  120_000,
);

test("without a token nothing is sent to the shop, and the buyer can try again", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
  const { page, received } = await open(sandbox);
  const status = page.locator("payment-card-form .payment-status");

  await payByCard(page);
  await expect.poll(() => status.textContent()).toContain("You have not been charged");
  expect(received).toEqual([]);
  await page.getByRole("button", { name: "Pay R$" }).click();

  await messageIn(page).toContain("Paid");
});

test("if the response of the service is lost, the page and the server offer no second way to pay", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
  const { page, url } = await open(sandbox);

  await payByCard(page);

  await messageIn(page).toContain("do not pay again");
  for (const name of ["Pay R$", "Pay with pix"]) {
    expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
  }
  expect(await post(`${url}/pix`)).toEqual({ text: expect.stringContaining("do not pay again") });
  expect(sandbox.gateway.transactions).toHaveLength(1);
});
