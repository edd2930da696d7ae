import type { ComponentChildren } from "preact";
import { isJsonObject, type Problem, parseJson } from "../../body-rules.ts";
import type { Overview } from "../../control/views.ts";
import type { SandboxRequest } from "../../requests/request-log.ts";
import { useFetched } from "../shared/api.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Moment } from "../shared/format.tsx";
import { plural, translate, words } from "../shared/translate.ts";
import { toCurl } from "./curl.ts";
import { faultMessages } from "./fault-messages.ts";
import { toJsonLines } from "./json-lines.ts";
import { hrefOf } from "./location.ts";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { HttpStatus, isInFlight, translateRequestReason } from "./request-result.tsx";

const messages = translate({
  notFound: [
    (id: number) =>
      `Request ${id} is not in the log. The sandbox keeps the last 1,000 requests until it stops.`,
    (id: number) =>
      `A requisição ${id} não está no log. O sandbox guarda as últimas 1.000 requisições até ser encerrado.`,
  ],
  origin: ["From a page of", "De uma página de"],
  why: ["Why it was refused", "Por que foi recusada"],
  fault: ["Simulated fault:", "Falha simulada:"],
  incomplete: [
    "The client did not receive the whole response.",
    "O cliente HTTP não recebeu a resposta completa.",
  ],
  response: ["Response", "Resposta"],
  copyCurl: ["Copy as curl", "Copiar como curl"],
  curl: ["as curl", "como curl"],
  requestBody: ["the request body", "o corpo da requisição"],
  responseBody: ["the response body", "o corpo da resposta"],
  noBody: ["No body.", "Sem corpo."],
  pending: ["No response yet.", "Ainda sem resposta."],
  noneSent: ["No response was sent.", "Nenhuma resposta foi enviada."],
  missing: ["missing", "ausente"],
  refusedFields: [
    plural("field was refused", "fields were refused"),
    plural("campo inválido", "campos inválidos"),
  ],
  ignored: ["Ignored, not in the specification:", "Ignorados, fora da especificação:"],
  redacted: [
    "Keys, card tokens and card data are redacted. The curl command reads the variables that the sandbox's terminal prints.",
    "Chaves, tokens e dados de cartão são ocultados. O comando curl lê as variáveis que o terminal do sandbox mostra.",
  ],
});

interface Props extends ItemProps {
  readonly overview: Overview | undefined;
}

export function RequestView({ id, title, version, location, overview }: Props) {
  const fetched = useFetched<SandboxRequest>(`requests/${id}`, version);
  return (
    <OpenItem title={title} location={location} fetched={fetched} notFound={messages.notFound(id)}>
      {(request) => <Content request={request} baseUrl={overview?.baseUrl} />}
    </OpenItem>
  );
}

interface ContentProps {
  readonly request: SandboxRequest;
  readonly baseUrl: string | undefined;
}

function Content({ request, baseUrl }: ContentProps) {
  const { fault, reason, transactionId } = request;
  const problems = problemsIn(request);
  const ignored = ignoredFieldsOf(request);
  const basePath = baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/$/, "");
  return (
    <>
      <code>
        <strong>{request.method}</strong> {request.path}
      </code>
      <p class="inline">
        <HttpStatus request={request} />
        {request.durationMs !== undefined && <span>{request.durationMs} ms</span>}
        <Moment at={request.at} withDate />
        {request.origin !== undefined && (
          <span>
            {messages.origin} <bdi>{request.origin}</bdi>
          </span>
        )}
        {transactionId !== undefined && (
          <a href={hrefOf({ view: "transactions", openId: transactionId })}>
            {words.transaction} {transactionId}
          </a>
        )}
      </p>
      {fault !== undefined && (
        <p class="note">
          <strong>{messages.fault}</strong> <code>{fault}</code>. {faultMessages[fault]}
        </p>
      )}
      {reason !== undefined && (
        <div class="note refused">
          <strong>{problems.length > 0 ? messages.refusedFields(problems.length) : messages.why}</strong>
          {problems.length === 0 && <p>{translateRequestReason(reason)}</p>}
          {problems.map(({ field, message }, index) => (
            <p key={index}>
              <code>{field}</code> <bdi>{message}</bdi>
            </p>
          ))}
        </div>
      )}
      {ignored.length > 0 && (
        <p class="note">
          {messages.ignored} <code>{ignored.join(", ")}</code>
        </p>
      )}
      <p class="small">{messages.redacted}</p>
      <div class="exchange">
        <Message
          title={words.request}
          body={request.requestBody}
          what={messages.requestBody}
          problems={problems}
          action={
            <CopyButton value={toCurl(request, basePath)} what={messages.curl} text={messages.copyCurl} />
          }
          ifEmpty={messages.noBody}
        />
        <Message
          title={messages.response}
          body={request.responseBody}
          what={messages.responseBody}
          problems={[]}
          ifEmpty={emptyResponse(request)}
        />
      </div>
    </>
  );
}

function emptyResponse(request: SandboxRequest): string {
  if (isInFlight(request)) return messages.pending;
  if (request.status === undefined) return messages.noneSent;
  return request.fault === "stalled_body" ? messages.incomplete : messages.noBody;
}

interface MessageProps {
  readonly title: string;
  readonly body: string;
  readonly what: string;
  readonly problems: readonly Problem[];
  readonly action?: ComponentChildren;
  readonly ifEmpty: string;
}

function Message({ title, body, what, problems, action, ifEmpty }: MessageProps) {
  return (
    <section class="message" aria-label={title}>
      <div class="inline message-head">
        <h3>{title}</h3>
        {action}
        {body !== "" && <CopyButton value={body} what={what} />}
      </div>
      {body === "" && problems.length === 0 ? (
        <p class="muted">{ifEmpty}</p>
      ) : (
        <Body text={body} problems={problems} />
      )}
    </section>
  );
}

/** Indents JSON and marks the fields that were refused. Other text is shown as it is. */
function Body({ text, problems }: { readonly text: string; readonly problems: readonly Problem[] }) {
  const value = parseJson(text);
  const lines = value === undefined ? undefined : toJsonLines(value, problems);
  if (lines === undefined) return <pre>{text}</pre>;
  return (
    <pre class="json">
      {lines.map((line, index) => (
        <span
          key={index}
          class={line.problems.length > 0 ? "line refused" : "line"}
          style={{ paddingLeft: `${line.depth * 2}ch` }}
        >
          {line.isMissing ? (
            <mark>
              {line.text}: <em>{messages.missing}</em>
            </mark>
          ) : line.problems.length > 0 ? (
            <mark>{line.text}</mark>
          ) : (
            line.text
          )}
          {line.problems.length > 0 && <bdi class="why"> {line.problems.join("; ")}</bdi>}
        </span>
      ))}
    </pre>
  );
}

/** The `errors` of the response. Spec: "Errors", validation. */
function problemsIn({ responseBody }: SandboxRequest): readonly Problem[] {
  const body = parseJson(responseBody) as { readonly errors?: unknown } | undefined | null;
  return Array.isArray(body?.errors) ? body.errors : [];
}

/** The fields of a transaction's request. Spec: "POST /api/v1/transactions". */
const TRANSACTION_FIELDS = [
  ...["paymentMethod", "amount", "customer", "externalRef", "postbackUrl", "traceable", "items", "ip"],
  ...["metadata", "installments", "card", "pix"],
];

/** The service ignores unknown fields without an error, so a misspelled field is easy to miss. */
function ignoredFieldsOf({ endpoint, requestBody }: SandboxRequest): readonly string[] {
  if (endpoint !== "transactions.create") return [];
  const body = parseJson(requestBody);
  return isJsonObject(body) ? Object.keys(body).filter((name) => !TRANSACTION_FIELDS.includes(name)) : [];
}
