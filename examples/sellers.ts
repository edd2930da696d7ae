/**
 * The sellers of the account, and their revenue.
 *
 *   npm run example sellers
 *
 * Uses the service in the environment variables, or a sandbox.
 */
import { formatBRL, PaymentsClient, toCents } from "payments-sdk";
import { connect } from "./support/service.ts";

const { baseUrl, secretKey, publicKey, close } = await connect();
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });

const sellers = await payments.sellers.list(); // at most 100: other pages are not available yet
const revenues = await payments.sellers.revenue();

// Revenue is in reais with decimals, unlike all other amounts. Add it up in cents, not in floats.
// A missing amount is unknown, not zero.
const inCents = (reais: number | undefined) => (reais === undefined ? undefined : toCents(reais));
const inReais = (cents: number | undefined) => (cents === undefined ? "unknown" : formatBRL(cents));

console.log("seller           status      total             this month");
for (const { id, status } of sellers) {
  const revenue = revenues.find((known) => known.seller_id === id)?.revenue;
  const total = inReais(inCents(revenue?.total));
  const month = inReais(inCents(revenue?.month));
  console.log(id.padEnd(16), (status ?? "unknown").padEnd(11), total.padEnd(17), month);
}
const months = revenues.map(({ revenue }) => inCents(revenue.month));
const sum = months.reduce(
  (all, cents) => (all === undefined || cents === undefined ? undefined : all + cents),
  0,
);
console.log(`\nAll sellers have earned ${inReais(sum)} this month.`);
await close();
