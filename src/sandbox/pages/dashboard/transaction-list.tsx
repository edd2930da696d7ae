import { TRANSACTION_STATUSES } from "../../../spec/transaction-status.ts";
import { PAYMENT_METHODS } from "../../../spec/values.ts";
import type { Overview, TransactionSummary } from "../../control/views.ts";
import { Problem } from "../shared/action.tsx";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { CHANGING_FAULTS } from "./fault-texts.ts";
import { FilterBar } from "./filter-bar.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { hrefOf, type Route } from "./route.ts";
import type { Live } from "./use-live.ts";
import { useLiveList } from "./use-live-list.ts";
import { type RowLink, VirtualTable } from "./virtual-table.tsx";

const texts = choose({
  en: {
    title: "Transactions",
    id: "Transaction",
    status: "Status",
    amount: "Amount",
    method: "Method",
    reference: "Reference",
    customer: "Customer",
    created: "Created",
    search: "Search by reference, ID or customer",
    loading: "Loading…",
    noMatch: "No transaction matches the search and the filters.",
    noReference: "no reference",
    lost: "response lost",
    changed: "response changed",
  },
  pt: {
    title: "Transações",
    id: "Transação",
    status: "Status",
    amount: "Valor",
    method: "Método",
    reference: "Referência",
    customer: "Comprador",
    created: "Criada",
    search: "Buscar por referência, ID ou comprador",
    loading: "Carregando…",
    noMatch: "Nenhuma transação corresponde à busca e aos filtros.",
    noReference: "sem referência",
    lost: "resposta perdida",
    changed: "resposta alterada",
  },
});

const COLUMNS = (["id", "status", "amount", "method", "reference", "customer", "created"] as const).map(
  (name) => ({ name, title: texts[name] }),
);

const CHOICES = [
  {
    name: "status",
    label: texts.status,
    options: TRANSACTION_STATUSES.map((value) => [value, value] as const),
  },
  { name: "method", label: texts.method, options: PAYMENT_METHODS.map((value) => [value, value] as const) },
];

interface Props {
  readonly live: Live;
  readonly route: Route;
  readonly overview: Overview | undefined;
}

export function TransactionList({ live, route, overview }: Props) {
  const { rows, total, problem } = useLiveList(live, { key: "transactions" }, route.filter);
  const isFiltered = Object.keys(route.filter).length > 0;
  const isEmpty = rows?.length === 0;

  return (
    <section class="list" id="list" aria-labelledby="list-heading" tabIndex={-1}>
      <h2 id="list-heading" class="visually-hidden">
        {texts.title}
      </h2>
      {(!isEmpty || isFiltered) && (
        <FilterBar route={route} search={texts.search} choices={CHOICES} count={rows && total} />
      )}
      <Problem text={problem} />
      {rows === undefined && problem === undefined && <p class="muted">{texts.loading}</p>}
      {isEmpty &&
        (isFiltered ? <p class="muted">{texts.noMatch}</p> : <GettingStarted overview={overview} />)}
      {rows !== undefined && !isEmpty && (
        <VirtualTable
          key={JSON.stringify(route.filter)}
          name="transaction"
          label={texts.title}
          columns={COLUMNS}
          rows={rows}
          total={total}
          openId={route.openId}
          hrefOf={({ id }) => hrefOf({ ...route, openId: id })}
          renderCells={renderCells}
        />
      )}
    </section>
  );
}

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
        {row.refundedAmount > 0 && <span class="sub">−{formatReais(row.refundedAmount)}</span>}
      </td>
      <td class="col-method">{row.paymentMethod}</td>
      <td class="col-reference">
        {row.externalId === undefined ? (
          <span class="muted">{texts.noReference}</span>
        ) : (
          <bdi>{row.externalId}</bdi>
        )}
        {row.fault !== undefined && <FaultBadge fault={row.fault} />}
      </td>
      <td class="col-customer">
        <bdi>{row.customerName}</bdi>
      </td>
      <td class="col-created">
        <Moment at={row.createdAt} />
      </td>
    </>
  );
}

function FaultBadge({ fault }: { readonly fault: NonNullable<TransactionSummary["fault"]> }) {
  const effect = CHANGING_FAULTS.has(fault) ? texts.changed : texts.lost;
  return (
    <span class="badge fault">
      {effect}: {fault}
    </span>
  );
}
