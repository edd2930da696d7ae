import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { expect, onTestFinished } from "vitest";
import type { Order } from "../../../../examples/checkout/server/orders.ts";
import { type RunningShop, startShop } from "../../../../examples/checkout/server/start-shop.ts";
import { visit } from "../../../support/browsing.ts";
import { record } from "./recorder.ts";

export const APPROVED = "4111111111111111";
export const REFUSED = "4000000000009995";

/** A buyer in front of the shop's page, and what happens behind it. */
export interface Shopping {
  readonly page: Page;
  readonly sandbox: Sandbox;
  readonly shop: RunningShop;
  readonly order: () => Order;
  /** Every line that the shop's server wrote. */
  readonly log: readonly string[];
  /** Every byte that was sent to the shop's server. */
  readonly arrived: () => string;
  /** Errors, and whatever the browser complained of. */
  readonly complaints: readonly string[];
  typeCard(number: string, changes?: Partial<Record<"holderName" | "expiry" | "cvv", string>>): Promise<void>;
  pay(): Promise<void>;
  /** Waits for a heading of the page. */
  reads(heading: string): Promise<void>;
  /** How often the order was charged, by the sandbox's books. */
  charges(): number;
}

export interface ShoppingOptions {
  /** Default: a buyer is filled in, `?demo`. */
  readonly query?: string;
  readonly context?: Parameters<typeof visit>[1];
}

export async function goShopping({ query = "?demo", context = {} }: ShoppingOptions = {}): Promise<Shopping> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const log: string[] = [];
  const shop = await startShop({ service: sandbox, log: (line) => log.push(line) });
  onTestFinished(() => shop.close());
  const front = await record(shop.url);
  const { page, complaints } = await visit(`${front.url}/${query}`, context);
  await page.getByRole("button", { name: "Pagar" }).and(page.locator(":enabled")).waitFor();
  const order = () => {
    const found = shop.orders.find(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    if (found === undefined) throw new Error("The page has no order.");
    return found;
  };
  return {
    page,
    sandbox,
    shop,
    order,
    log,
    complaints,
    arrived: front.arrived,
    typeCard: async (number, changes = {}) => {
      const card = { holderName: "MARIA EXEMPLO", expiry: "12/39", cvv: "123", ...changes };
      for (const label of ["Número do cartão", "Validade"]) await page.getByLabel(label).fill("");
      await page.getByLabel("Número do cartão").pressSequentially(number);
      await page.getByLabel("Nome impresso no cartão").fill(card.holderName);
      await page.getByLabel("Validade").pressSequentially(card.expiry);
      await page.getByLabel("Código (CVV)").fill(card.cvv);
    },
    pay: () => page.getByRole("button", { name: "Pagar" }).click(),
    reads: (heading) => page.getByRole("heading", { name: heading }).waitFor(),
    charges: () =>
      order().attempts.flatMap(({ externalRef }) =>
        sandbox.gateway.chargesFor(externalRef).filter(({ status }) => status === "approved"),
      ).length,
  };
}

/** What a test asks at its end: a page of a shop complains of nothing. */
export function expectNoComplaints({ complaints }: Shopping, except?: RegExp): void {
  expect(complaints.filter((complaint) => except?.test(complaint) !== true)).toEqual([]);
}
