import { isPaymentsError } from "payments-sdk/browser";
import type { FailedAttempt, OrderState, OrderView, Payment, PaymentRefusal } from "../shared/order-view.ts";

export const UNKNOWN =
  "Ainda não sabemos se o pagamento foi feito. Não pague de novo: esta página se atualiza sozinha.";
export const NOT_REACHED = "A conexão com a loja falhou, e nada foi cobrado. Tente de novo.";
export const BUSY = "Processando o pagamento. Não feche esta página.";

/** The states in which the buyer cannot pay, or cannot pay by card. */
export type ResultState = Extract<OrderState, { readonly payment: Payment }>;

/** Title, text and next steps. */
type Result = readonly [title: string, text: string, ...next: string[]];

export function resultOf(state: ResultState, order: OrderView): Result {
  const { email = "o seu e-mail", isCardUndecided } = order;
  switch (state.kind) {
    case "processing":
      return [
        "Pagamento em análise",
        "O banco está analisando a compra. Não é preciso pagar de novo.",
        `Assim que houver resposta, escreveremos para ${email}.`,
        "Esta página se atualiza sozinha.",
      ];
    case "confirming":
      return [
        "Falta concluir o pagamento",
        "O pagamento com cartão está pendente. Conclua na página do processador de pagamentos.",
        "Depois de concluir, volte a esta página.",
        `Também escrevemos para ${email}.`,
      ];
    case "checking":
      return [
        "Estamos verificando o pagamento",
        "A resposta do processador de pagamentos não chegou: ainda não sabemos se houve cobrança. Não pague de novo com cartão.",
        "Consultamos o processador de pagamentos. Isso pode levar até um dia útil.",
        `Escreveremos para ${email} com o resultado. Você pode fechar esta página.`,
        "Se houve cobrança, o pedido está pago. Se não houve, você pode pagar de novo aqui.",
      ];
    case "paid":
      return [
        "Pagamento confirmado",
        "Obrigado! O seu pedido já está sendo preparado.",
        ...(state.isTwice ? ["Recebemos dois pagamentos deste pedido: vamos estornar um deles."] : []),
        ...(isCardUndecided ? ["Se o cartão também for aprovado, estornaremos um dos dois pagamentos."] : []),
        `Enviamos o recibo para ${email}.`,
        "Quando o pedido sair, você recebe o código de rastreio.",
      ];
    case "refunded":
      return state.payment.method === "pix"
        ? ["Pagamento estornado", "O valor volta para a conta de origem.", "Confira o extrato da sua conta."]
        : [
            "Pagamento estornado",
            "O valor volta para o cartão.",
            "Confira a fatura: o prazo depende do banco emissor.",
          ];
    case "chargedback":
      return [
        "Pagamento contestado",
        "O valor foi devolvido pelo banco emissor do cartão.",
        "Se você não reconhece a contestação, escreva para nós.",
      ];
  }
}

export const REFUSALS: Readonly<Record<PaymentRefusal["code"], string>> = {
  invalid_buyer: "Confira seus dados. Nada foi cobrado.",
  busy: "Este pedido mudou enquanto você pagava. Este clique não gerou cobrança: confira o pedido e tente de novo.",
  too_many_attempts:
    "Foram muitas tentativas com cartão. Nada foi cobrado. Pague com Pix, ou tente mais tarde.",
  unavailable: "Não foi possível fazer o pagamento agora. Nada foi cobrado: tente de novo em instantes.",
  // Does not promise that nothing was charged: an earlier card or pix may have been.
  no_pix: "Não foi possível gerar o Pix agora. Tente de novo em instantes.",
};

/** Offers a pix if the buyer cannot fix the problem. The card form itself shows why it has no token. */
export function offerOfPix(error: unknown): string | undefined {
  const actor = isPaymentsError(error) ? error.actor : "service";
  return actor === "service" || actor === "merchant" ? "Você também pode pagar com Pix." : undefined;
}

/** An ended code may have been paid in its last seconds, so the page never says of it that nothing was charged. */
const IF_PAID =
  "Se você já pagou, não pague de novo: fale com a loja. Se não pagou, gere outro código ou pague com cartão.";

const NOTICES: Readonly<Record<FailedAttempt["method"], Readonly<Record<FailedAttempt["status"], string>>>> =
  {
    card: {
      refused: "O pagamento não foi aceito. Nada foi cobrado: tente outro cartão ou pague com Pix.",
      cancelled: "O pagamento com cartão foi cancelado. Nada foi cobrado: você pode pagar de novo.",
      // The specification lists this status for pix only.
      expired: "O pagamento com cartão expirou. Se você já pagou, não pague de novo: fale com a loja.",
      lost: UNKNOWN, // such a card is `checking` instead
    },
    pix: {
      refused: `O código Pix não é mais válido. ${IF_PAID}`,
      cancelled: `O código Pix não é mais válido. ${IF_PAID}`,
      expired: `O código Pix expirou. ${IF_PAID}`,
      lost: REFUSALS.no_pix, // also after a reload
    },
  };

/** How the last attempt ended, and whether the buyer needs another card. */
export function noticeOf(state: OrderState): { readonly text: string; readonly isCard: boolean } | undefined {
  if (state.kind !== "open" || state.ended === undefined) return undefined;
  const { method, status } = state.ended;
  return { text: NOTICES[method][status], isCard: method === "card" && status === "refused" };
}
