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

/** A merchant's server that pays an order with the token that it gets, and keeps what came. */
function serverFor(sandbox: Sandbox) {
  const bodies: string[] = [];
  const pay = async (body: string) => {
    bodies.push(body);
    const { token } = JSON.parse(body) as { token: string };
    const answer = await merchant(sandbox, fetch).create(aCardPayment(token, { externalRef: "order-1" }));
    if (answer.status === 400) return { tokenExpired: true };
    const { status } = (await bodyOf(answer)).data;
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
  "the form of the page, loaded with %s, pays with a token, and the policy of the page allows all of it",
  async (form) => {
    const sandbox = await startedSandbox();
    const { pay, bodies } = serverFor(sandbox);
    const also = "; require-trusted-types-for 'script'"; // which docs/pci.md allows to add
    const { page, hosts, complaints, url } = await open(sandbox, { form, pay, also });

    await payWith(page);

    await messageIn(page).toBe("Paid");
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
    expect(bodies).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
    expect(complaints).toEqual([]);
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
  },
);

test("the form groups the number and names its brand, and a digit in the middle can be corrected", async () => {
  const { page } = await open(await startedSandbox());
  const number = page.getByLabel("Card number");
  await number.pressSequentially("41111111");

  for (const key of ["Home", "ArrowRight", "Delete", "2"]) await number.press(key);

  expect(await number.inputValue()).toBe("4211 1111");
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2);
  expect(await page.locator("#brand").textContent()).toBe("visa");
});

test("wrong inputs are marked, the first gets the focus, and axe finds no fault", async () => {
  const { page } = await open(await startedSandbox());

  await page.getByRole("button").click();

  await messageIn(page).toBe("Please check the card.");
  const wrong = page.locator("[aria-invalid=true]");
  expect(await wrong.evaluateAll((inputs) => inputs.map(({ id }) => id))).toEqual([
    ...["number", "holder", "expiry", "cvv"],
  ]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("number");
  await page.evaluate(axe.source);
  const faults = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  expect(faults.violations).toEqual([]);
});

test("no input has a name, so the browser itself can never send the card", async () => {
  const { page } = await open(await startedSandbox());

  const sent = await page.evaluate(() => [...new FormData(document.querySelector("form") ?? undefined)]);

  expect(await page.locator("input").count()).toBe(4);
  expect(sent).toEqual([]);
});

test("an expired token is replaced without a word to the customer", async () => {
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

test("the form says that nothing was paid if a second token is refused, too, and can be sent again", async () => {
  const { page } = await open(await startedSandbox(), { pay: async () => ({ tokenExpired: true }) });

  await payWith(page);

  await messageIn(page).toContain("nothing was paid");
  expect(await page.getByRole("button").isDisabled()).toBe(false);
});

test("the form says that nothing was paid if it gets no token", async () => {
  const sandbox = await startedSandbox();
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
  const { page } = await open(sandbox);

  await payWith(page);

  await messageIn(page).toContain("nothing was paid");
});

test("the form asks not to pay again if the answer of the shop was lost", async () => {
  const { page } = await open(await startedSandbox(), { pay: async () => undefined });

  await payWith(page);

  await messageIn(page).toContain("Please do not pay again");
  expect(await page.getByRole("button").isDisabled()).toBe(true);
});

test("the Web Worker of the page makes a token, and its errors keep their data", async () => {
  const { page, complaints } = await open(await startedSandbox());
  await page.addScriptTag({ url: "/with-worker.js" });
  const inWorker = (number: string) =>
    page.evaluate((typed) => {
      const card = { holderName: "Maria Exemplo", expirationMonth: 3, expirationYear: 39, cvv: "123" };
      const { tokenizeInWorker } = window as unknown as { tokenizeInWorker(card: object): Promise<object> };
      return tokenizeInWorker({ ...card, number: typed });
    }, number);

  const [made, failed] = [await inWorker("4111111111111111"), await inWorker("4111")];

  expect(made).toEqual({ token: expect.stringMatching(/^eyJ/), expiresAt: expect.any(Date) });
  expect(failed).toMatchObject({ error: { actor: "customer", issues: [{ field: "number" }] } });
  expect(complaints).toEqual([]);
});
