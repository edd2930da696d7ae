/**
 * What the company may take, and between which amounts.
 *
 *   npm run example company
 */
import { type Company, formatBRL, PaymentsClient } from "payments-sdk";
import { addressOf } from "./support/address.ts";
import { example } from "./support/example.ts";
import { row, statusText } from "./support/terminal.ts";

await example({
  name: "company",
  summary: "What the company of the keys may take, and between which amounts.",
  flags: {},
  async run({ connect, tell }) {
    const { baseUrl, secretKey, publicKey } = await connect();
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });

    const company = await payments.company.retrieve();

    tell(company, show);
  },
});

/** Every field but the id may be missing: the SDK makes nothing up. */
function show({
  id,
  name,
  tradingName,
  document,
  status,
  paymentMethods,
  limits,
  ...company
}: Company): void {
  const { configuration, settlement } = company;
  row("Company", `${tradingName ?? name ?? "unknown"}, id ${id}`);
  row("Document", `${document.type ?? "unknown"} ${document.number ?? ""}`.trimEnd());
  row("Status", statusText(status));
  const methods = Object.entries(paymentMethods);
  const enabled = methods.filter(([, isEnabled]) => isEnabled).map(([method]) => method);
  row("Takes", enabled.join(", ") || (methods.length === 0 ? "unknown" : "nothing"));
  row("At least", inReais(limits.transactionMinAmount));
  row("At most", inReais(limits.transactionMaxAmount));
  const { url } = configuration.webhook;
  row("Webhook", url === undefined ? "unknown" : addressOf(url));
  row("Pays out", `${settlement.schedule ?? "unknown"}, ${transferOf(settlement.automaticTransfer)}`);
}

function transferOf(isAutomatic: boolean | undefined): string {
  if (isAutomatic === undefined) return "automatic or manual is unknown";
  return isAutomatic ? "automatic" : "manual";
}

function inReais(cents: number | undefined): string {
  return cents === undefined ? "unknown" : formatBRL(cents);
}
