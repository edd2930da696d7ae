import { TRANSACTION_STATUSES } from "../../../spec/transaction-status.ts";
import { PAYMENT_METHODS } from "../../../spec/values.ts";
import type { Overview, TransactionSummary } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { methodNames, statusNames, t, words } from "../shared/texts.ts";
import { replacesWholeResponse } from "./fault-texts.ts";
import type { ListDefinition, RowLink } from "./list.tsx";
import { examplesFor, toBody } from "./send-payment.ts";

export const TRANSACTIONS: ListDefinition<"transaction"> = {
  name: "transaction",
  title: words.transactions,
  search: t("Search by reference, ID or customer", "Buscar por referência, ID ou comprador"),
  noMatch: t(
    "No transaction matches the search and the filters.",
    "Nenhuma transação corresponde à busca e aos filtros.",
  ),
  choices: [
    { name: "status", label: "Status", values: TRANSACTION_STATUSES, valueLabels: statusNames },
    { name: "method", label: words.method, values: PAYMENT_METHODS, valueLabels: methodNames },
  ],
  columns: {
    main: words.transaction,
    status: "Status",
    amount: words.amount,
    method: words.method,
    customer: words.customer,
    time: t("Created", "Criada"),
  },
  renderCells,
};

function renderCells(row: TransactionSummary, link: RowLink) {
  const { id, externalId, fault, paymentMethod, refundedAmount } = row;
  return (
    <>
      <td class="col-main">
        <a {...link}>{id}</a>
        <bdi class="one-line" title={externalId}>
          {externalId ?? t("no reference", "sem referência")}
        </bdi>
        {fault !== undefined && (
          <span class="badge fault" title={fault}>
            {replacesWholeResponse(fault)
              ? t("response changed", "resposta alterada")
              : t("response lost", "resposta perdida")}
          </span>
        )}
      </td>
      <td>
        <StatusBadge status={row.status} />
      </td>
      <td class="col-amount">
        {formatReais(row.amount)}
        {refundedAmount > 0 && <div class="small">−{formatReais(refundedAmount)}</div>}
      </td>
      <td class="col-method" title={paymentMethod}>
        {methodNames[paymentMethod]}
      </td>
      <td class="col-customer">
        <bdi class="one-line" title={row.customerName}>
          {row.customerName}
        </bdi>
      </td>
      <td class="col-time">
        <Moment at={row.createdAt} />
      </td>
    </>
  );
}

/** Shown instead of an empty list: how to create the first transaction. */
export function GettingStarted({ overview }: { readonly overview: Overview | undefined }) {
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
        <strong>{t("No transactions yet.", "Nenhuma transação ainda.")}</strong>{" "}
        {t(
          "Use the base URL and the two keys above in your code, try New payment, or create a pix from a terminal:",
          "Use a URL base e as duas chaves acima no seu código, experimente Novo pagamento ou crie um Pix no terminal:",
        )}
      </p>
      <pre>{command}</pre>
      <CopyButton value={command} what={t("the command", "o comando")} />
    </div>
  );
}
