import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { APPROVED, expectNoComplaints, goShopping, REFUSED, type Shopping } from "./support/shopping.ts";

useBrowser();

const pictures = join(import.meta.dirname, "../../../reports/checkout");
mkdirSync(pictures, { recursive: true });

/** The states of the page, each with what leads to it. */
const STATES: readonly (readonly [string, (shopping: Shopping) => Promise<void>])[] = [
  ["form", async () => undefined],
  [
    "wrong-inputs",
    async ({ page, pay }) => {
      await page.getByLabel("E-mail").fill("maria");
      await pay();
    },
  ],
  [
    "refused",
    async ({ page, typeCard, pay }) => {
      await typeCard(REFUSED);
      await pay();
      await page.getByText("Pagamento recusado.").waitFor();
    },
  ],
  [
    "paid",
    async ({ typeCard, pay, reads }) => {
      await typeCard(APPROVED);
      await pay();
      await reads("Pagamento confirmado");
    },
  ],
  [
    "checking",
    async ({ sandbox, typeCard, pay, reads }) => {
      sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
      await typeCard(APPROVED);
      await pay();
      await reads("Verificando o pagamento");
    },
  ],
  [
    "processing",
    async ({ typeCard, pay, reads }) => {
      await typeCard("4000000000003220");
      await pay();
      await reads("Pagamento em análise");
    },
  ],
  [
    "charged-back",
    async ({ sandbox, typeCard, pay, reads }) => {
      await typeCard(APPROVED);
      await pay();
      await reads("Pagamento confirmado");
      sandbox.gateway.chargeback(sandbox.gateway.transactions[0]?.id ?? 0);
      await reads("Pagamento contestado");
    },
  ],
  ["pix-start", ({ page }) => page.getByRole("tab", { name: "Pix" }).click()],
  [
    "pix",
    async ({ page, reads }) => {
      await page.getByRole("tab", { name: "Pix" }).click();
      await page.getByRole("button", { name: "Gerar código Pix" }).click();
      await reads("Pague com Pix");
    },
  ],
  [
    "pix-expired",
    async ({ page, sandbox, reads }) => {
      await page.getByRole("tab", { name: "Pix" }).click();
      await page.getByRole("button", { name: "Gerar código Pix" }).click();
      await reads("Pague com Pix");
      sandbox.gateway.clock.advance(25 * 60 * 60_000);
      await page.getByText("O código Pix expirou").waitFor();
    },
  ],
];

const SCREENS = [
  ["1280 light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["1280 dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ["360 light", { viewport: { width: 360, height: 740 }, colorScheme: "light" }],
  ["360 dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
] as const;

describe.each(SCREENS)("at %s", (screen, context) => {
  test.each(STATES)(
    "the page can be read by everybody, fits, and breaks no rule of its own: %s",
    async (state, reach) => {
      const shopping = await goShopping({ context: context });
      await reach(shopping);

      await shopping.page.screenshot({
        path: join(pictures, `${state}-${screen.replace(" ", "-")}.png`),
        fullPage: true,
      });
      const wide = await shopping.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await shopping.page.evaluate(axe.source);
      const violations = await shopping.page.evaluate(findViolations);

      expect(wide).toBeLessThanOrEqual(0);
      expect(violations).toEqual([]);
      expectNoComplaints(shopping);
    },
  );
});

async function findViolations(): Promise<string[]> {
  const { axe: tool } = globalThis as unknown as {
    axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
  };
  const { violations } = await tool.run();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
