import { TRANSACTION_STATUSES } from "../../../spec/transaction-status.ts";
import { PAYMENT_METHODS } from "../../../spec/values.ts";
import type { Overview, TransactionSummary } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { formatReais, Moment, OneLine, StatusBadge } from "../shared/format.tsx";
import { methodNames, statusNames, translate, words } from "../shared/translate.ts";
import { CHANGING_FAULTS } from "./fault-messages.ts";
import type { ListDefinition } from "./filtered-list.tsx";
import type { RowLink } from "./list-table.tsx";
import { examplesFor, toBody } from "./send-payment.ts";

const messages = translate({
  search: ["Search by reference, ID or customer", "Buscar por referência, ID ou comprador"],
  noMatch: [
    "No transaction matches the search and the filters.",
    "Nenhuma transação corresponde à busca e aos filtros.",
  ],
  noReference: ["no reference", "sem referência"],
  lost: ["response lost", "resposta perdida"],
  changed: ["response changed", "resposta alterada"],
  empty: ["No transactions yet.", "Nenhuma transação ainda."],
  hint: [
    "Use the base URL and the two keys above in your code, try New payment, or create a pix from a terminal:",
    "Use a URL base e as duas chaves acima no seu código, experimente Novo pagamento ou crie um Pix no terminal:",
  ],
  command: ["the command", "o comando"],
});

const columns = translate({
  id: ["Transaction", "Transação"],
  status: ["Status", "Status"],
  amount: ["Amount", "Valor"],
  method: ["Method", "Método"],
  reference: ["Reference", "Referência"],
  customer: ["Customer", "Comprador"],
  created: ["Created", "Criada"],
});

export const TRANSACTIONS: ListDefinition<"transaction"> = {
  name: "transaction",
  title: words.transactions,
  search: messages.search,
  noMatch: messages.noMatch,
  choices: [
    { name: "status", label: columns.status, values: TRANSACTION_STATUSES, valueLabels: statusNames },
    { name: "method", label: columns.method, values: PAYMENT_METHODS, valueLabels: methodNames },
  ],
  columns,
  Empty: GettingStarted,
  renderCells,
};

function renderCells(row: TransactionSummary, link: RowLink) {
  return (
    <>
      <td class="col-id">
        <a {...link}>{row.id}</a>
      </td>
      <td class="col-status">
        <StatusBadge status={row.status} />
      </td>
      <td class="col-amount">
        {formatReais(row.amount)}
        {row.refundedAmount > 0 && <div class="small">−{formatReais(row.refundedAmount)}</div>}
      </td>
      <td class="col-method" title={row.paymentMethod}>
        {methodNames[row.paymentMethod]}
      </td>
      <td class="col-reference">
        {row.externalId === undefined ? (
          <span class="muted">{messages.noReference}</span>
        ) : (
          <OneLine text={row.externalId} />
        )}
        {row.fault !== undefined && <FaultBadge fault={row.fault} />}
      </td>
      <td class="col-customer">
        <bdi title={row.customerName}>{row.customerName}</bdi>
      </td>
      <td class="col-created">
        <Moment at={row.createdAt} />
      </td>
    </>
  );
}

function FaultBadge({ fault }: { readonly fault: NonNullable<TransactionSummary["fault"]> }) {
  const effect = CHANGING_FAULTS.has(fault) ? messages.changed : messages.lost;
  return (
    <span class="badge fault">
      {effect}: {fault}
    </span>
  );
}

function GettingStarted({ overview }: { readonly overview: Overview | undefined }) {
  if (overview === undefined) return null;

  const { baseUrl, secretKey, publicKey } = overview;
  const examples: Readonly<Record<string, string>> = { ...examplesFor(overview), externalRef: "order-1" };
  const text = (field: string) => examples[field] ?? "";
  const command = [
    `curl ${baseUrl}/api/v1/transactions`,
    `-u ${secretKey}:${publicKey}`,
    "-H 'content-type: application/json'",
    `-d '${JSON.stringify(toBody({ method: "pix", amount: 1990, text }, { pix: { expiresInDays: 1 } }))}'`,
  ].join(" \\\n  ");
  return (
    <div class="stack empty">
      <p>
        <strong>{messages.empty}</strong> {messages.hint}
      </p>
      <pre>{command}</pre>
      <CopyButton value={command} what={messages.command} />
    </div>
  );
}
