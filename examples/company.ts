/**
 * The health of the service, and the limits of your company.
 *
 *   npm run example company
 *
 * Uses the service in the environment variables, or a sandbox.
 */
import { formatBRL, PaymentsClient } from "payments-sdk";
import { connect } from "./support/service.ts";

const { baseUrl, secretKey, publicKey, close } = await connect();
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });

const health = await payments.status.retrieve(); // needs no keys; at most 60 times a minute
console.log(`Service      ${health.status ?? "unknown"}, environment ${health.environment ?? "unknown"}`);
for (const [part, status] of Object.entries(health.services)) {
  const latency = health.latency[part as keyof typeof health.latency] ?? "unknown";
  console.log(`  ${part.padEnd(14)} ${status}, ${latency} ms`);
}

const company = await payments.company.retrieve();
const { limits, paymentMethods, settlement } = company;
// Every field except the id may be missing.
const inReais = (cents: number | undefined) => (cents === undefined ? "unknown" : formatBRL(cents));
const methods = Object.entries(paymentMethods).flatMap(([method, isEnabled]) => (isEnabled ? [method] : []));
console.log(`Company      ${company.tradingName ?? company.name ?? "unknown"}, id ${company.id}`);
console.log(`Status       ${company.status ?? "unknown"}`);
console.log(`Takes        ${methods.join(", ") || "unknown"}`);
console.log(
  `Limits       ${inReais(limits.transactionMinAmount)} to ${inReais(limits.transactionMaxAmount)}`,
);
console.log(`Settlement   ${settlement.schedule ?? "unknown"}`);
await close();
