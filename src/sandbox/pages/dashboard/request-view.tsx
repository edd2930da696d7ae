import { isJsonObject, type Problem, parseJson } from "../../body-rules.ts";
import type { SandboxRequest } from "../../requests/request-log.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Moment } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { plural, t, words } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.ts";
import { hrefOf } from "./location.ts";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { HttpStatus, isInFlight } from "./request-list.tsx";

export function RequestView({ id, title, location }: ItemProps) {
  const fetched = useFetched<SandboxRequest>(`requests/${id}`, "request");
  return (
    <OpenItem
      title={title}
      location={location}
      fetched={fetched}
      notFound={t(
        `Request ${id} is not in the log. The sandbox keeps the last 1,000 requests until it stops.`,
        `A requisição ${id} não está no log. O sandbox guarda as últimas 1.000 requisições até ser encerrado.`,
      )}
    >
      {(request) => <Content request={request} />}
    </OpenItem>
  );
}

function Content({ request }: { readonly request: SandboxRequest }) {
  const { fault, reason, transactionId } = request;
  const problems = problemsIn(request);
  const ignored = ignoredFieldsOf(request);
  return (
    <>
      <code>
        <strong>{request.method}</strong> {request.path}
      </code>
      <p class="inline">
        <HttpStatus request={request} />
        {request.durationMs !== undefined && <span>{request.durationMs} ms</span>}
        <Moment at={request.at} />
        {request.origin !== undefined && (
          <span>
            {t("From a page of", "De uma página de")} <bdi>{request.origin}</bdi>
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
          <strong>{t("Simulated fault:", "Falha simulada:")}</strong> <code>{fault}</code>.{" "}
          {faultTexts[fault]}
        </p>
      )}
      {reason !== undefined && (
        <div class="note refused">
          <strong>{titleOfRefusal(problems.length)}</strong>
          {problems.length === 0 && <p>{reason}</p>}
          {problems.map(({ field, message }, index) => (
            <p key={index}>
              <code>{field}</code> <bdi>{message}</bdi>
            </p>
          ))}
        </div>
      )}
      {ignored.length > 0 && (
        <p class="note">
          {t("Ignored, not in the specification:", "Ignorados, fora da especificação:")}{" "}
          <code>{ignored.join(", ")}</code>
        </p>
      )}
      <p class="small">
        {t(
          "Keys, card tokens and card data are redacted.",
          "Chaves, tokens e dados de cartão são ocultados.",
        )}
      </p>
      <div class="exchange">
        <Message
          title={words.request}
          body={request.requestBody}
          what={t("the request body", "o corpo da requisição")}
          ifEmpty={NO_BODY}
        />
        <Message
          title={t("Response", "Resposta")}
          body={request.responseBody}
          what={t("the response body", "o corpo da resposta")}
          ifEmpty={emptyResponse(request)}
        />
      </div>
    </>
  );
}

function titleOfRefusal(fields: number): string {
  if (fields === 0) return t("Why it was refused", "Por que foi recusada");
  return t(
    plural(fields, "field was refused", "fields were refused"),
    plural(fields, "campo inválido", "campos inválidos"),
  );
}

const NO_BODY = t("No body.", "Sem corpo.");

function emptyResponse(request: SandboxRequest): string {
  if (isInFlight(request)) return t("No response yet.", "Ainda sem resposta.");
  if (request.status === undefined) return t("No response was sent.", "Nenhuma resposta foi enviada.");
  if (request.fault !== "stalled_body") return NO_BODY;
  return t(
    "The client did not receive the whole response.",
    "O cliente HTTP não recebeu a resposta completa.",
  );
}

interface MessageProps {
  readonly title: string;
  readonly body: string;
  readonly what: string;
  readonly ifEmpty: string;
}

function Message({ title, body, what, ifEmpty }: MessageProps) {
  return (
    <section aria-label={title}>
      <div class="inline message-head">
        <h3>{title}</h3>
        {body !== "" && <CopyButton value={body} what={what} />}
      </div>
      {body === "" ? <p class="muted">{ifEmpty}</p> : <pre>{indent(body)}</pre>}
    </section>
  );
}

/** More levels are no use to a reader, and thousands of them make the text enormous. */
const DEPTH_MAX = 100;

/** Indents JSON. Other text stays as it is. */
function indent(text: string): string {
  const value = parseJson(text);
  return value === undefined || isDeeperThan(DEPTH_MAX, value) ? text : JSON.stringify(value, null, 2);
}

function isDeeperThan(max: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return max === 0 || Object.values(value).some((child) => isDeeperThan(max - 1, child));
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
