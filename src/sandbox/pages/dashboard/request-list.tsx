import type { RequestSummary } from "../../control/views.ts";
import { Moment } from "../shared/format.tsx";
import { t, words } from "../shared/texts.ts";
import { FaultBadge } from "./fault-texts.tsx";
import { List, type ListProps } from "./list.tsx";

const COLUMNS = { main: words.request, status: "Status", "time extra": t("Time", "Hora") };

export function RequestList(props: ListProps) {
  return (
    <List
      name="request"
      title={words.requests}
      searchLabel={t("Search by reference, ID or text", "Buscar por referência, ID ou texto")}
      empty={t(
        "No requests yet. Every request to the API appears here with its response.",
        "Nenhuma requisição ainda. Toda requisição à API aparece aqui com a resposta.",
      )}
      columns={COLUMNS}
      renderCells={(row, link) => (
        <>
          <td class="main">
            <a {...link}>
              {row.method} {row.path}
            </a>
            <bdi class="one-line" title={row.reason}>
              {row.reason}
            </bdi>
            {row.transactionId !== undefined && (
              <div class="small">
                {t(`transaction ${row.transactionId}`, `transação ${row.transactionId}`)}
              </div>
            )}
            <FaultBadge fault={row.fault} />
          </td>
          <td>
            <HttpStatus request={row} />
          </td>
          <td class="time extra">
            <Moment at={row.at} />
          </td>
        </>
      )}
      {...props}
    />
  );
}

/** The HTTP status of a response; the colour carries no additional information. */
export function HttpStatus({ request: { status } }: { readonly request: RequestSummary }) {
  return <span class={`badge http-${String(status)[0]}xx`}>{status ?? words.noResponse}</span>;
}
