import { endpoints } from "../../../spec/endpoints.ts";
import type { RequestSummary } from "../../control/views.ts";
import { Moment } from "../shared/format.tsx";
import { translate, words } from "../shared/translate.ts";
import type { ListDefinition } from "./filtered-list.tsx";
import type { RowLink } from "./list-table.tsx";
import { HttpStatus, translateRequestReason } from "./request-result.tsx";

const messages = translate({
  search: ["Search by reference, ID or text", "Buscar por referência, ID ou texto"],
  noMatch: [
    "No request matches the search and the filters.",
    "Nenhuma requisição corresponde à busca e aos filtros.",
  ],
  empty: ["No requests yet.", "Nenhuma requisição ainda."],
  emptyHint: [
    "Every request to the API appears here with its response, including refused requests.",
    "Toda requisição à API aparece aqui com a resposta, inclusive as recusadas.",
  ],
  transaction: [(id: number) => `transaction ${id}`, (id: number) => `transação ${id}`],
  fault: [(kind: string) => `fault: ${kind}`, (kind: string) => `falha: ${kind}`],
});

const columns = translate({
  request: ["Request", "Requisição"],
  status: ["Status", "Status"],
  result: ["Result", "Resultado"],
  duration: ["Duration", "Duração"],
  time: ["Time", "Hora"],
});

export const REQUESTS: ListDefinition<"request"> = {
  name: "request",
  title: words.requests,
  search: messages.search,
  noMatch: messages.noMatch,
  choices: [
    { name: "endpoint", label: "Endpoint", values: Object.values(endpoints).map(({ name }) => name) },
    {
      name: "status",
      label: columns.status,
      values: ["2xx", "4xx", "400", "401", "404", "429", "5xx", "none"],
      valueLabels: { none: words.noResponse },
    },
  ],
  columns,
  Empty: () => (
    <p class="muted">
      <strong>{messages.empty}</strong> {messages.emptyHint}
    </p>
  ),
  renderCells,
};

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
        {transactionId !== undefined && <span>{messages.transaction(transactionId)}</span>}
        {fault !== undefined && <span class="badge fault">{messages.fault(fault)}</span>}
      </td>
      <td class="col-duration">{row.durationMs !== undefined && `${row.durationMs} ms`}</td>
      <td class="col-time">
        <Moment at={row.at} />
      </td>
    </>
  );
}
