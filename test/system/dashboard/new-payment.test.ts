import { expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { useBrowser, visit } from "../../support/browsing.ts";
import { axeViolations } from "../support/dashboard.ts";

useBrowser();

async function openForm() {
  const sandbox = await start({ pixFields: "endpoint" }); // the pix has every field of the endpoint's table
  const { page } = await visit(`${sandbox.baseUrl}/#/tools`);
  return { sandbox, page, submit: page.getByRole("button", { name: "Create payment" }) };
}

test.each([
  ["", "pix", [201]],
  ["4000000000009995", "credit_card", [200, 201]], // the token of the card first
])(
  "with the card '%s' a %s is made with the requests of a merchant, and opens",
  async (card, method, statuses) => {
    const { sandbox, page, submit } = await openForm();
    await page.getByLabel("Method").selectOption(card);
    await page.getByLabel("Amount, in reais").fill("2.500,00");
    await submit.click();
    await page.getByText("Enter the amount in reais").waitFor();
    await page.getByLabel("Amount, in reais").fill("25");
    await page.getByLabel("Reference").fill("order-7");

    await submit.click();
    await page.locator(".detail .sum").waitFor();

    const made = { paymentMethod: method, amount: 2500, externalId: "order-7" };
    expect(sandbox.gateway.transactions).toMatchObject([made]);
    expect(sandbox.gateway.requests.map(({ status }) => status)).toEqual(statuses);
  },
);

test("a refused payment says why, and that nothing was created; it can be sent again", async () => {
  const { sandbox, page, submit } = await openForm();
  await page.getByLabel("Amount, in reais").fill("0,10");
  await submit.click();
  await page.getByText("Nothing was created. HTTP 400 amount: Must be from 100").waitFor();
  const violations = await axeViolations(page);
  await page.getByLabel("Method").selectOption("4111111111111111");
  sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502" });
  await submit.click();
  await page.getByText("Nothing was created. HTTP 502").waitFor(); // no token, so no payment
  await page.getByLabel("Amount, in reais").fill("19,90");

  await submit.click();
  await page.locator(".detail .sum").waitFor();

  expect(violations).toEqual([]);
  expect(sandbox.gateway.requests.map(({ status }) => status)).toEqual([400, 502, 200, 201]);
});

test("a payment is sent once even if its connection breaks, and its outcome is unknown", async () => {
  const { sandbox, page, submit } = await openForm();
  const reference = page.getByLabel("Reference");
  await reference.fill("");
  await submit.click(); // leaves a connection, and a browser repeats a request if a reused connection breaks
  await page.getByText("Nothing was created.").waitFor();
  await reference.fill("order-9");
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>("form");
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await page.getByText("The outcome is unknown").waitFor();
  await page.getByRole("link", { name: "Requests" }).click(); // the form is removed, and the reference remembered
  await page.getByRole("link", { name: "Tools" }).click();
  await reference.fill("order-9");
  await reference.press("Enter");
  const disabled = await submit.getAttribute("aria-disabled");
  await reference.fill("order-10");
  await submit.click();
  await page.locator(".detail .sum").waitFor();

  expect(disabled).toBe("true");
  expect(sandbox.gateway.transactions).toMatchObject([{ externalId: "order-9" }, { externalId: "order-10" }]);
});

test("a redirect is not followed: it is reported, and no payment is created", async () => {
  const { sandbox, page, submit } = await openForm();
  sandbox.gateway.faults.add({ on: "transactions.create", kind: "redirect_307" });

  await submit.click();
  await page.getByText("The outcome is unknown").waitFor();

  expect(sandbox.gateway.requests).toMatchObject([{ status: 307 }]);
  expect(sandbox.gateway.transactions).toEqual([]);
});
