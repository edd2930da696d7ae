import type { RequestSummary } from "../../control/views.ts";
import { Moment } from "../shared/format.tsx";
import { FaultBadge } from "./fault-notes.tsx";
import { List, type ListProps } from "./list.tsx";

const COLUMNS = { main: "Request", status: "Status", "time extra": "Time" };

export function RequestList(props: ListProps) {
  return (
    <List
      name="request"
      title="Requests"
      searchLabel="Search by reference, ID or text"
      empty="No requests yet. Every request to the API appears here with its response."
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
            {row.transactionId !== undefined && <div class="small">{`transaction ${row.transactionId}`}</div>}
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
  return <span class={`badge http-${String(status)[0]}xx`}>{status ?? "no response"}</span>;
}
