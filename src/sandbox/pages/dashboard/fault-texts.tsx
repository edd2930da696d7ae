import { FAULT_DESCRIPTIONS, type FaultKind } from "../../faults/fault.ts";
import { t } from "../shared/texts.ts";

const PORTUGUESE: Readonly<Record<FaultKind, string>> = {
  charged_then_reset: "Processada, mas a conexão cai antes da resposta.",
  charged_then_stalled: "Processada, mas a resposta nunca é enviada.",
  charged_then_500: "Processada, mas a resposta é um 500.",
  stalled_body: "Processada, mas a resposta para no meio do corpo e a conexão continua aberta.",
  late_response: "Processada, mas a resposta chega um segundo depois.",
  redirect_307:
    "Não processada: redirecionamento 307 para a mesma URL. Um cliente HTTP que o segue cria uma cobrança.",
  html_502: "Não processada: página HTML de um proxy, com status 502.",
  truncated_json: "Processada, mas falta metade do corpo da resposta.",
  unknown_status: "Processada, mas a resposta tem um status que a especificação não prevê.",
  drifted_body: "Processada, mas campos da resposta têm outro tipo, são novos ou estão faltando.",
  pix_refused:
    "Processada, mas o Pix é recusado: um 201 sem código. Um pagamento com cartão não usa a falha.",
  rate_limited: "Não processada: 429 com Retry-After: 1.",
  refused_connection:
    "Não processada: a conexão é recusada. Por HTTP, a porta fica fechada para todas as requisições, por 1 segundo a cada vez.",
  shop_500: "Não enviado: o postback falha como se a loja tivesse respondido com um 500.",
};

export const faultTexts = t(FAULT_DESCRIPTIONS, PORTUGUESE);

export function FaultBadge({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <span class="badge fault" title={`${fault}: ${faultTexts[fault]}`}>
      {t("fault", "falha")}
    </span>
  );
}

/** Explains why the response to a request was not that of the service. */
export function FaultNote({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="note">
      <strong>{t("Simulated fault:", "Falha simulada:")}</strong> <code>{fault}</code>. {faultTexts[fault]}
    </p>
  );
}
