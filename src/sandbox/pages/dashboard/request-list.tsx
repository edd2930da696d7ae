import { endpoints } from "../../../spec/endpoints.ts";
import type { RequestSummary } from "../../control/views.ts";
import { REQUESTS_MAX } from "../../requests/logged-request.ts";
import { Problem } from "../shared/action.tsx";
import { Moment } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { FilterBar } from "./filter-bar.tsx";
import { HttpStatus } from "./http-status.tsx";
import { translateRequestReason } from "./request-reasons.ts";
import { hrefOf, type Route } from "./route.ts";
import type { Live } from "./use-live.ts";
import { useLiveList } from "./use-live-list.ts";
import { type RowLink, VirtualTable } from "./virtual-table.tsx";

const texts = choose({
  en: {
    title: "Requests",
    time: "Time",
    request: "Request",
    status: "Status",
    duration: "Duration",
    result: "Result",
    endpoint: "Endpoint",
    none: "no response",
    search: "Search by reference, ID or text",
    loading: "Loading…",
    noMatch: "No request matches the search and the filters.",
    empty: "No requests yet.",
    emptyHint: "Every request to the API appears here with its response, including refused requests.",
    transaction: (id: number) => `transaction ${id}`,
    fault: (kind: string) => `fault: ${kind}`,
  },
  pt: {
    title: "Requisições",
    time: "Hora",
    request: "Requisição",
    status: "Status",
    duration: "Duração",
    result: "Resultado",
    endpoint: "Endpoint",
    none: "sem resposta",
    search: "Buscar por referência, ID ou texto",
    loading: "Carregando…",
    noMatch: "Nenhuma requisição corresponde à busca e aos filtros.",
    empty: "Nenhuma requisição ainda.",
    emptyHint: "Toda requisição à API aparece aqui com a resposta, inclusive as recusadas.",
    transaction: (id: number) => `transação ${id}`,
    fault: (kind: string) => `falha: ${kind}`,
  },
});

const COLUMNS = (["request", "status", "result", "duration", "time"] as const).map((name) => ({
  name,
  title: texts[name],
}));

const CHOICES = [
  {
    name: "endpoint",
    label: texts.endpoint,
    options: Object.values(endpoints).map(({ name }) => [name, name] as const),
  },
  {
    name: "status",
    label: texts.status,
    options: [
      ...["2xx", "4xx", "400", "401", "404", "429", "5xx"].map((value) => [value, value] as const),
      ["none", texts.none] as const,
    ],
  },
];

export function RequestList({ live, route }: { readonly live: Live; readonly route: Route }) {
  const { rows, total, problem } = useLiveList(live, { key: "requests", max: REQUESTS_MAX }, route.filter);
  const isFiltered = Object.keys(route.filter).length > 0;
  const isEmpty = rows?.length === 0;

  return (
    <section class="list" id="list" aria-labelledby="list-heading" tabIndex={-1}>
      <h2 id="list-heading" class="visually-hidden">
        {texts.title}
      </h2>
      <FilterBar route={route} search={texts.search} choices={CHOICES} count={rows && total} />
      <Problem text={problem} />
      {rows === undefined && problem === undefined && <p class="muted">{texts.loading}</p>}
      {isEmpty && isFiltered && <p class="muted">{texts.noMatch}</p>}
      {isEmpty && !isFiltered && (
        <p class="muted">
          <strong>{texts.empty}</strong> {texts.emptyHint}
        </p>
      )}
      {rows !== undefined && !isEmpty && (
        <VirtualTable
          key={JSON.stringify(route.filter)}
          name="request"
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

function renderCells(row: RequestSummary, link: RowLink) {
  const { transactionId, reason, fault } = row;
  return (
    <>
      <td class="col-request">
        <a {...link}>
          <span class="http-method">{row.method}</span> {row.path}
        </a>
      </td>
      <td class="col-status">
        <HttpStatus request={row} />
      </td>
      <td class="col-result">
        {reason !== undefined && <bdi class="reason">{translateRequestReason(reason)}</bdi>}
        {transactionId !== undefined && <span>{texts.transaction(transactionId)}</span>}
        {fault !== undefined && <span class="badge fault">{texts.fault(fault)}</span>}
      </td>
      <td class="col-duration">{row.durationMs !== undefined && `${row.durationMs} ms`}</td>
      <td class="col-time">
        <Moment at={row.at} />
      </td>
    </>
  );
}
