import { parseJson } from "../../body-rules.ts";
import type { SandboxRequest } from "../../requests/request-log.ts";
import { Moment } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { FaultNote } from "./fault-notes.tsx";
import { hrefOf } from "./location.ts";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { HttpStatus } from "./request-list.tsx";

export function RequestView(props: ItemProps) {
  const { id } = props;
  return (
    <OpenItem
      {...props}
      fetched={useFetched<SandboxRequest>(`requests/${id}`, "request")}
      notFound={`Request ${id} is not in the log. The sandbox keeps the last 1,000 requests until it stops.`}
    >
      {(request) => <Content request={request} />}
    </OpenItem>
  );
}

function Content({ request }: { readonly request: SandboxRequest }) {
  const { transactionId, reason } = request;
  return (
    <>
      <code>
        <strong>{request.method}</strong> {request.path}
      </code>
      <p class="inline">
        <HttpStatus request={request} />
        {request.durationMs !== undefined && <span>{request.durationMs} ms</span>}
        <Moment at={request.at} />
        {transactionId !== undefined && (
          <a href={hrefOf({ view: "transactions", openId: transactionId })}>Transaction {transactionId}</a>
        )}
      </p>
      <FaultNote fault={request.fault} />
      {reason !== undefined && (
        <p class="problem">
          <bdi>{reason}</bdi>
        </p>
      )}
      <p class="small">Keys, card tokens and card data are redacted.</p>
      <Body title="Request" text={request.requestBody} />
      <Body title="Response" text={request.responseBody} />
    </>
  );
}

/** A body; JSON is indented. Empty if a fault did not let the client have all of the response. */
function Body({ title, text }: { readonly title: string; readonly text: string }) {
  const value = parseJson(text);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {text === "" ? (
        <p class="muted">No body.</p>
      ) : (
        <pre>{value === undefined ? text : JSON.stringify(value, null, 2)}</pre>
      )}
    </section>
  );
}
