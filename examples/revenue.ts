/**
 * What each seller has earned: in all, and in this month.
 *
 *   npm run example revenue
 */
import { formatBRL, PaymentsClient, toCents } from "payments-sdk";
import { example } from "./support/example.ts";
import { text } from "./support/flags.ts";
import { table } from "./support/terminal.ts";

await example({
  name: "revenue",
  summary: "What each seller has earned: in all, and in this month.",
  flags: {
    "sellers-path": text("<path>", "where they are; the specification does not show it (default: /sellers)"),
  },
  notes:
    "The service speaks in reais with decimals here, and nowhere else. With --json all amounts are cents.",
  async run({ flags, connect, tell }) {
    const { baseUrl, secretKey, publicKey } = await connect();
    const payments = new PaymentsClient({
      baseUrl,
      secretKey,
      publicKey,
      sellersPath: flags["sellers-path"],
    });

    const revenues = await payments.sellers.revenue();
    // Floats do not add up; cents do.
    const sellers = revenues.map(({ seller_id: id, seller_name: name, revenue: { total, month } }) => ({
      id,
      name,
      totalInCents: inCents(total),
      monthInCents: inCents(month),
    }));
    const sums = {
      totalInCents: sumOf(sellers.map((seller) => seller.totalInCents)),
      monthInCents: sumOf(sellers.map((seller) => seller.monthInCents)),
    };

    tell({ sellers, ...sums }, () => {
      const rows = [...sellers, { id: "all", name: "", ...sums }];
      console.log();
      table(
        ["seller", "name", "total", "this month"],
        rows.map(({ id, name = "", ...sales }) => [
          id,
          name,
          inReais(sales.totalInCents),
          inReais(sales.monthInCents),
        ]),
        [2, 3],
      );
    });
  },
});

/** What the service did not say stays unknown: it is not zero. */
function inCents(reais: number | undefined): number | null {
  return reais === undefined ? null : toCents(reais);
}

function sumOf(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce((sum, cents) => (sum === null || cents === null ? null : sum + cents), 0);
}

function inReais(cents: number | null): string {
  return cents === null ? "unknown" : formatBRL(cents);
}
