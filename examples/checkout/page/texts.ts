import { isPaymentsError } from "payments-sdk/browser";
import type { OrderState, PaymentRefusal } from "../shared/order-view.ts";

export const UNKNOWN =
  "Não sabemos ainda se o pagamento foi feito. Não pague de novo: esta página se atualiza.";
export const NOT_REACHED = "A conexão com a loja falhou, e não há pagamento deste pedido. Tente de novo.";

/** What replaces the form once there is nothing to pay. */
export const RESULTS: Partial<Record<OrderState["kind"], readonly [title: string, text: string]>> = {
  processing: ["Pagamento em análise", "O banco está analisando a compra. Não é preciso pagar de novo."],
  checking: ["Verificando o pagamento", "Ainda não recebemos a confirmação. Não pague de novo."],
  paid: ["Pagamento confirmado", "Obrigado! O seu pedido já está sendo preparado."],
  refunded: ["Pagamento devolvido", "O valor volta para o cartão ou a conta de onde saiu."],
  chargedback: ["Pagamento contestado", "O valor foi devolvido pelo banco emissor do cartão."],
};

export const REFUSALS: Readonly<Record<PaymentRefusal["code"], string>> = {
  invalid_buyer: "Confira seus dados. Nada foi cobrado.",
  busy: "Este pedido mudou enquanto você pagava. Nada foi cobrado por este clique: confira e tente de novo.",
  too_many_attempts: "Foram muitas tentativas. Nada foi cobrado. Pague com Pix, ou tente mais tarde.",
  unavailable: "Não foi possível fazer o pagamento agora. Nada foi cobrado: tente de novo em instantes.",
};

/** A card that did not become a token charged nobody, and the text may say so. */
export function textOfTokenization(error: unknown): string {
  const actor = isPaymentsError(error) ? error.actor : "service";
  if (actor === "customer") return "Confira os dados do cartão. Nada foi cobrado.";
  if (actor === "network") return "A conexão falhou. Nada foi cobrado: tente de novo.";
  return "No momento não conseguimos receber cartões. Pague com Pix, ou tente mais tarde.";
}

/** Reasons of the service that a buyer can do something about. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/limit/i, "O limite do cartão não é suficiente."],
  [/security code|cvv/i, "O código de segurança não confere."],
  [/expired/i, "O cartão está vencido."],
];

export function noticeOf(state: OrderState): string | undefined {
  if (state.kind !== "open") return undefined;
  const { refusedReason, ended } = state;
  if (ended !== undefined) return "O pagamento não foi concluído. Nada foi cobrado: você pode pagar de novo.";
  if (refusedReason === undefined) return undefined;
  const [, reason = "O banco não autorizou a compra."] =
    REASONS.find(([known]) => known.test(refusedReason)) ?? [];
  return `Pagamento recusado. ${reason} Nada foi cobrado: tente outro cartão ou pague com Pix.`;
}
