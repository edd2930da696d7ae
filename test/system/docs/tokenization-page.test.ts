import axe from "axe-core";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { aCardPayment, bodyOf, merchant } from "../../sandbox/support/wire.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { type SiteOptions, startDocumentedSite } from "./documented-site.ts";

useBrowser();

async function startedSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function open(sandbox: Sandbox, options: Omit<SiteOptions, "service"> = {}) {
  const url = await startDocumentedSite({ service: sandbox.baseUrl, ...options });
  return { ...(await visit(url)), url };
}

/** A merchant's server that pays an order with the received token and records the bodies. */
function serverFor(sandbox: Sandbox) {
  const bodies: string[] = [];
  const pay = async (body: string) => {
    bodies.push(body);
    const { token } = JSON.parse(body) as { token: string };
    const response = await merchant(sandbox, fetch).create(aCardPayment(token, { externalRef: "order-1" }));
    if (response.status === 400) return { tokenExpired: true };
    const { status } = (await bodyOf(response)).data;
    return status === "approved" ? { paid: true, text: "Paid" } : { text: "Not accepted" };
  };
  return { bodies, pay };
}

async function payWith(page: Page): Promise<void> {
  await page.getByLabel("Card number").pressSequentially("4111111111111111");
  await page.getByLabel("Name on the card").fill("Maria Exemplo");
  await page.getByLabel("Valid until").fill("03/39");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay" }).click();
}

const messageIn = (page: Page) =>
  expect.poll(() => page.locator("#message").textContent(), { timeout: 10_000 });

test.each(["a script tag", "a bundler"] as const)(
  "the documented form, loaded with %s, pays with a token under the documented policy",
  async (form) => {
    const sandbox = await startedSandbox();
    const { pay, bodies } = serverFor(sandbox);
    const extraPolicy = "; require-trusted-types-for 'script'"; // allowed by docs/pci.md
    const { page, hosts, browserErrors, url } = await open(sandbox, { form, pay, extraPolicy });

    await payWith(page);

    await messageIn(page).toBe("Paid");
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
    expect(bodies).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
    expect(browserErrors).toEqual([]);
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
  },
);

test("the form groups the number and shows its brand, and a digit in the middle can be corrected", async () => {
  const { page } = await open(await startedSandbox());
  const number = page.getByLabel("Card number");
  await number.pressSequentially("41111111");

  for (const key of ["Home", "ArrowRight", "Delete", "2"]) await number.press(key);

  expect(await number.inputValue()).toBe("4211 1111");
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2);
  expect(await page.locator("#brand").textContent()).toBe("visa");
});

test("invalid inputs are marked, the first gets the focus, and axe finds no violation", async () => {
  const { page } = await open(await startedSandbox());

  await page.getByRole("button").click();

  await messageIn(page).toBe("Please check the card.");
  const invalid = page.locator("[aria-invalid=true]");
  expect(await invalid.evaluateAll((inputs) => inputs.map(({ id }) => id))).toEqual([
    ...["number", "holder", "expiry", "cvv"],
  ]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("number");
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  expect(results.violations).toEqual([]);
});

test("no input has a name, so the browser cannot submit the card", async () => {
  const { page } = await open(await startedSandbox());

  const sent = await page.evaluate(() => [...new FormData(document.querySelector("form") ?? undefined)]);

  expect(await page.locator("input").count()).toBe(4);
  expect(sent).toEqual([]);
});

test("an expired token is replaced without a message to the customer", async () => {
  const sandbox = await startedSandbox();
  const { pay, bodies } = serverFor(sandbox);
  const { page } = await open(sandbox, {
    pay: (body) => {
      if (bodies.length === 0) sandbox.gateway.clock.advance(6 * 60_000);
      return pay(body);
    },
  });

  await payWith(page);

  await messageIn(page).toBe("Paid");
  expect(new Set(bodies).size).toBe(2);
  expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
});

test("if a second token is refused, the form shows that nothing was paid and can be submitted again", async () => {
  const { page } = await open(await startedSandbox(), { pay: async () => ({ tokenExpired: true }) });

  await payWith(page);

  await messageIn(page).toContain("nothing was paid");
  expect(await page.getByRole("button").isDisabled()).toBe(false);
});

test("without a token, the form shows that nothing was paid", async () => {
  const sandbox = await startedSandbox();
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
  const { page } = await open(sandbox);

  await payWith(page);

  await messageIn(page).toContain("nothing was paid");
});

test("if the shop's response is lost, the form asks the customer not to pay again", async () => {
  const { page } = await open(await startedSandbox(), { pay: async () => undefined });

  await payWith(page);

  await messageIn(page).toContain("Please do not pay again");
  expect(await page.getByRole("button").isDisabled()).toBe(true);
});

test("the documented Web Worker creates a token, and its errors keep their fields", async () => {
  const { page, browserErrors } = await open(await startedSandbox());
  await page.addScriptTag({ url: "/with-worker.js" });
  const inWorker = (number: string) =>
    page.evaluate((typed) => {
      const card = { holderName: "Maria Exemplo", expirationMonth: 3, expirationYear: 39, cvv: "123" };
      const { tokenizeInWorker } = window as unknown as { tokenizeInWorker(card: object): Promise<object> };
      return tokenizeInWorker({ ...card, number: typed });
    }, number);

  const [created, failed] = [await inWorker("4111111111111111"), await inWorker("4111")];

  expect(created).toEqual({ token: expect.stringMatching(/^eyJ/), expiresAt: expect.any(Date) });
  expect(failed).toMatchObject({ error: { actor: "customer", issues: [{ field: "number" }] } });
  expect(browserErrors).toEqual([]);
});
