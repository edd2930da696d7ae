import axe from "axe-core";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { describe, expect, onTestFinished, test } from "vitest";
import { aCardPayment, bodyOf, merchant } from "../sandbox/support/wire.ts";
import { useBrowser, visit } from "../support/browsing.ts";
import { type Form, type SiteOptions, startDocumentedSite } from "./support/documented-site.ts";

useBrowser();

const FORMS: readonly Form[] = ["a script tag", "a bundler"];

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

async function payWith(page: Page, number = "4111111111111111"): Promise<void> {
  await page.getByLabel("Card number").pressSequentially(number);
  await page.getByLabel("Name on the card").fill("Maria Exemplo");
  await page.getByLabel("Valid until").fill("03/39");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay" }).click();
}

const saysIn = (page: Page) => expect.poll(() => page.locator("#message").textContent(), { timeout: 10_000 });

describe.each(FORMS)("the form of the page, loaded with %s", (form) => {
  test("pays with a token, and nothing violates the policy", async () => {
    const sandbox = await startedSandbox();
    const { pay, bodies } = serverFor(sandbox);
    const { page, hosts, complaints, url } = await open(sandbox, { form, pay });

    await payWith(page);

    await saysIn(page).toBe("Paid");
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
    expect(bodies).toEqual([expect.stringMatching(/^\{"token":"eyJ[\w.-]+"\}$/)]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
    expect(complaints).toEqual([]);
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
  });

  test("works where strings are no HTML", async () => {
    const sandbox = await startedSandbox();
    const { pay } = serverFor(sandbox);
    const { page, complaints } = await open(sandbox, {
      form,
      pay,
      also: "; require-trusted-types-for 'script'",
    });

    await payWith(page);

    await saysIn(page).toBe("Paid");
    expect(complaints).toEqual([]);
  });
});

describe("the form of the page", () => {
  test("has nothing that axe finds fault with, also where inputs are wrong", async () => {
    const { page } = await open(await startedSandbox());
    await page.getByRole("button").click();
    await saysIn(page).not.toBe("");

    await page.evaluate(axe.source);

    const faults = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
      return (await axe.run()).violations.map(({ id }) => id);
    });
    expect(faults).toEqual([]);
  });

  test("gives no input a name, so that no way of sending it takes the card along", async () => {
    const { page } = await open(await startedSandbox());

    const sent = await page.evaluate(() => [...new FormData(document.querySelector("form") ?? undefined)]);

    expect(await page.locator("input").count()).toBe(4);
    expect(sent).toEqual([]);
  });

  test("groups the number and names its brand", async () => {
    const { page } = await open(await startedSandbox());

    await page.getByLabel("Card number").pressSequentially("378282246310005");

    expect(await page.getByLabel("Card number").inputValue()).toBe("3782 822463 10005");
    expect(await page.locator("#brand").textContent()).toBe("amex");
  });

  test("lets a digit in the middle be corrected", async () => {
    const { page } = await open(await startedSandbox());
    const number = page.getByLabel("Card number");
    await number.pressSequentially("41111111");

    for (const key of ["Home", "ArrowRight", "Delete", "2"]) await number.press(key);

    expect(await number.inputValue()).toBe("4211 1111");
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2);
  });

  test("marks the inputs that are wrong, and goes to the first", async () => {
    const { page, complaints } = await open(await startedSandbox());

    await page.getByRole("button").click();

    await saysIn(page).toBe("Please check the card.");
    const wrong = page.locator("[aria-invalid=true]");
    expect(await wrong.evaluateAll((inputs) => inputs.map(({ id }) => id))).toEqual([
      ...["number", "holder", "expiry", "cvv"],
    ]);
    expect(await page.locator("#expiry-error").textContent()).toContain("03/31");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("number");
    expect(complaints).toEqual([]);
  });

  test("replaces an expired token without the buyer's doing", async () => {
    const sandbox = await startedSandbox();
    const { pay, bodies } = serverFor(sandbox);
    const slow = (body: string) => {
      if (bodies.length === 0) sandbox.gateway.clock.advance(6 * 60_000);
      return pay(body);
    };
    const { page } = await open(sandbox, { pay: slow });

    await payWith(page);

    await saysIn(page).toBe("Paid");
    expect(new Set(bodies).size).toBe(2);
    expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test("says that nothing was paid where a second token is not taken, either, and lets the buyer try again", async () => {
    const bodies: string[] = [];
    const pay = async (body: string) => {
      bodies.push(body);
      return { tokenExpired: true };
    };
    const { page } = await open(await startedSandbox(), { pay });

    await payWith(page);

    await saysIn(page).toContain("nothing was paid");
    expect(new Set(bodies).size).toBe(2);
    expect(await page.getByRole("button").isDisabled()).toBe(false);
  });

  test("says that nothing was paid where there is no token", async () => {
    const sandbox = await startedSandbox();
    sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 });
    const { page } = await open(sandbox);

    await payWith(page);

    await saysIn(page).toContain("nothing was paid");
    expect(await page.getByLabel("Card number").inputValue()).toBe("4111 1111 1111 1111");
  });

  test("does not say so where the answer of the shop got lost", async () => {
    const { page } = await open(await startedSandbox(), { pay: async () => undefined });

    await payWith(page);

    await saysIn(page).toContain("Please do not pay again");
    expect(await page.getByRole("button").isDisabled()).toBe(true);
  });
});

test("the worker of the page makes a token, and its errors keep their data", async () => {
  const sandbox = await startedSandbox();
  const { page, complaints } = await open(sandbox);
  await page.addScriptTag({ url: "/with-worker.js" });
  const inWorker = (number: string) =>
    page.evaluate((typed) => {
      const card = { holderName: "Maria Exemplo", expirationMonth: 3, expirationYear: 39, cvv: "123" };
      const { tokenizeInWorker } = window as unknown as { tokenizeInWorker(card: object): Promise<object> };
      return tokenizeInWorker({ ...card, number: typed });
    }, number);

  const [made, failed] = [await inWorker("4111111111111111"), await inWorker("4111")];

  expect(made).toEqual({ token: expect.stringMatching(/^eyJ/), expiresAt: expect.any(Date) });
  expect(failed).toMatchObject({
    error: { actor: "customer", code: "invalid_request", issues: [{ field: "number" }] },
  });
  expect(complaints).toEqual([]);
});
