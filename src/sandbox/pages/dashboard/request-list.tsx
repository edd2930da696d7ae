import { endpoints } from "../../../spec/endpoints.ts";
import type { RequestSummary } from "../../control/views.ts";
import { Moment } from "../shared/format.tsx";
import { t, words } from "../shared/texts.ts";
import type { ListDefinition, RowLink } from "./list.tsx";

export const REQUESTS: ListDefinition<"request"> = {
  name: "request",
  title: words.requests,
  search: t("Search by reference, ID or text", "Buscar por referência, ID ou texto"),
  noMatch: t(
    "No request matches the search and the filters.",
    "Nenhuma requisição corresponde à busca e aos filtros.",
  ),
  choices: [
    { name: "endpoint", label: "Endpoint", values: Object.values(endpoints).map(({ name }) => name) },
    {
      name: "status",
      label: "Status",
      values: ["2xx", "4xx", "400", "401", "404", "429", "5xx", "none"],
      valueLabels: { none: words.noResponse },
    },
  ],
  columns: {
    main: words.request,
    status: "Status",
    duration: t("Duration", "Duração"),
    time: t("Time", "Hora"),
  },
  renderCells,
};

function renderCells(row: RequestSummary, link: RowLink) {
  const { transactionId, reason, fault } = row;
  return (
    <>
      <td class="col-main">
        <a {...link}>
          <span class="muted">{row.method}</span> {row.path}
        </a>
        {reason !== undefined && (
          <bdi class="one-line" title={reason}>
            {reason}
          </bdi>
        )}
        {transactionId !== undefined && (
          <div class="small">{t(`transaction ${transactionId}`, `transação ${transactionId}`)}</div>
        )}
        {fault !== undefined && <span class="badge fault">{t(`fault: ${fault}`, `falha: ${fault}`)}</span>}
      </td>
      <td>
        <HttpStatus request={row} />
      </td>
      <td class="col-duration">{row.durationMs !== undefined && `${row.durationMs} ms`}</td>
      <td class="col-time">
        <Moment at={row.at} />
      </td>
    </>
  );
}

/** A request without a response is in flight until it has a duration. */
export function isInFlight({ status, durationMs }: RequestSummary): boolean {
  return status === undefined && durationMs === undefined;
}

/** The HTTP status of a response; the colour carries no additional information. */
export function HttpStatus({ request }: { readonly request: RequestSummary }) {
  const { status } = request;
  if (isInFlight(request)) return <span class="badge http-none">{t("in flight", "em andamento")}</span>;
  if (status === undefined) return <span class="badge http-4xx">{words.noResponse}</span>;
  return <span class={`badge http-${String(status)[0]}xx`}>{status}</span>;
}
