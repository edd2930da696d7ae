import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { methodNames } from "../shared/texts.ts";
import { FaultBadge } from "./fault-notes.tsx";
import { List, type ListProps } from "./list.tsx";
import { hrefOf } from "./location.ts";

const COLUMNS = {
  main: "Transaction",
  status: "Status",
  amount: "Amount",
  "method extra": "Method",
  "customer extra": "Customer",
  "time extra": "Created",
};

export function TransactionList(props: ListProps) {
  return (
    <List
      name="transaction"
      title="Transactions"
      searchLabel="Search by reference, ID or customer"
      empty={<GettingStarted />}
      columns={COLUMNS}
      renderCells={(row, link) => (
        <>
          <td class="main">
            <a {...link}>{row.id}</a>
            <bdi class="one-line" title={row.externalId}>
              {row.externalId ?? "no reference"}
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
      <strong>No transactions yet.</strong> Use the base URL and the two keys above in your code, or{" "}
      <a href={hrefOf({ view: "tools" })}>create a payment here</a>.
    </>
  );
}
