import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { axeViolations } from "../support/dashboard.ts";

useBrowser();

async function openForm() {
  const sandbox = await start({ pixFields: "endpoint" });
  const { page } = await visit(sandbox.baseUrl);
  await page.getByRole("button", { name: "New payment" }).click();
  return { sandbox, page, submit: page.getByRole("button", { name: "Create payment" }) };
}

test("a card payment is made with the requests of a merchant, and opens", async () => {
  const { sandbox, page, submit } = await openForm();
  await page.getByLabel("Card", { exact: true }).check();
  await page.getByLabel("Test card").selectOption("4000000000009995");

  await submit.click();
  await page.locator(".detail .amount").waitFor();

  expect(sandbox.gateway.transactions).toMatchObject([{ amount: 1990, scenario: "insufficient_limit" }]);
  expect(sandbox.gateway.requests).toMatchObject([
    { endpoint: "cardTokens.create", status: 200 },
    { endpoint: "transactions.create", status: 201 },
  ]);
});

test("a pix has every field of the endpoint's table, and a refused field shows why", async () => {
  const { sandbox, page, submit } = await openForm();
  await page.getByLabel("CPF").fill("529");
  await submit.click();
  await page.getByText("Must be 11 digits only for a cpf").waitFor();
  const violations = await axeViolations(page);
  await page.getByLabel("CPF").fill("529.982.247-25");

  await submit.click();
  await page.locator(".detail .amount").waitFor();

  expect(violations).toEqual([]);
  expect(sandbox.gateway.requests.map(({ status }) => status)).toEqual([400, 201]);
});

test("a payment is sent once even if its connection breaks, and its outcome is unknown", async () => {
  const { sandbox, page, submit } = await openForm();
  await page.getByLabel("Reference").fill("");
  await submit.click(); // leaves a connection, and a browser repeats a request if a reused connection breaks
  await page.getByText("Nothing was created.").waitFor();
  await page.getByLabel("Reference").fill("order-9");
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>(".payment-form");
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await page.getByText("The outcome is unknown").waitFor();
  await page.getByLabel("Reference", { exact: true }).press("Enter");
  const disabled = await submit.getAttribute("aria-disabled");
  const created = [...sandbox.gateway.transactions];
  await page.getByLabel("Reference", { exact: true }).fill("order-10");
  await submit.click();
  await page.locator(".detail .amount").waitFor();

  expect(disabled).toBe("true");
  expect(created).toMatchObject([{ externalId: "order-9" }]);
  expect(sandbox.gateway.transactions).toMatchObject([{}, { externalId: "order-10" }]);
});

test("a redirect is not followed: it is reported, and no payment is created", async () => {
  const { sandbox, page, submit } = await openForm();
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "redirect_307" });

  await submit.click();
  await page.getByText("The outcome is unknown").waitFor();

  expect(sandbox.gateway.requests).toMatchObject([{ status: 307 }]);
  expect(sandbox.gateway.transactions).toEqual([]);
});
