import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { methodNames, t, words } from "../shared/texts.ts";
import { FaultBadge } from "./fault-texts.tsx";
import { List, type ListProps } from "./list.tsx";
import { hrefOf } from "./location.ts";

const COLUMNS = {
  main: words.transaction,
  status: "Status",
  amount: words.amount,
  "method extra": words.method,
  "customer extra": words.customer,
  "time extra": t("Created", "Criada"),
};

export function TransactionList(props: ListProps) {
  return (
    <List
      name="transaction"
      title={words.transactions}
      searchLabel={t("Search by reference, ID or customer", "Buscar por referência, ID ou comprador")}
      empty={<GettingStarted />}
      columns={COLUMNS}
      renderCells={(row, link) => (
        <>
          <td class="main">
            <a {...link}>{row.id}</a>
            <bdi class="one-line" title={row.externalId}>
              {row.externalId ?? t("no reference", "sem referência")}
            </bdi>
            <FaultBadge fault={row.fault} />
          </td>
          <td>
            <StatusBadge status={row.status} />
          </td>
          <td class="amount">
            {formatReais(row.amount)}
            {row.refundedAmount > 0 && <div class="small">−{formatReais(row.refundedAmount)}</div>}
          </td>
          <td class="method extra" title={row.paymentMethod}>
            {methodNames[row.paymentMethod]}
          </td>
          <td class="customer extra">
            <bdi class="one-line">{row.customerName}</bdi>
          </td>
          <td class="time extra">
            <Moment at={row.createdAt} />
          </td>
        </>
      )}
      {...props}
    />
  );
}

/** How to create the first transaction. */
function GettingStarted() {
  return (
    <>
      <strong>{t("No transactions yet.", "Nenhuma transação ainda.")}</strong>{" "}
      {t(
        "Use the base URL and the two keys above in your code, or",
        "Use a URL base e as duas chaves acima no seu código, ou",
      )}{" "}
      <a href={hrefOf({ view: "tools" })}>{t("create a payment here", "crie um pagamento aqui")}</a>.
    </>
  );
}
