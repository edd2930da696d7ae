import { AbortedError, ConnectionError, type PaymentsError } from "payments-sdk/browser";

const NO_CARDS = "No momento não conseguimos receber cartões. Você pode pagar com Pix ou tentar mais tarde.";

/** What a buyer is told of a tokenization that failed. Nothing was charged by it, and the text may say so. */
export function textOfTokenization(error: PaymentsError): string {
  if (error instanceof ConnectionError && error.reason === "offline") {
    return "Você está sem internet. Nada foi cobrado: tente de novo quando a conexão voltar.";
  }
  if (error instanceof AbortedError) return "O pagamento foi interrompido. Nada foi cobrado.";
  switch (error.actor) {
    case "customer":
      return "Confira os dados do cartão. Nada foi cobrado.";
    case "network":
      return "A conexão falhou. Nada foi cobrado: tente de novo.";
    case "service":
    case "merchant":
      return NO_CARDS;
  }
}

export const TEXTS = {
  noCards: NO_CARDS,
  unavailable: "Não foi possível fazer o pagamento agora. Nada foi cobrado: tente de novo em instantes.",
  busy: "Este pedido mudou enquanto você pagava. Nada foi cobrado por este clique: confira e tente de novo.",
  tooManyAttempts:
    "Foram muitas tentativas. Nada foi cobrado. Pague de outra forma, ou tente de novo mais tarde.",
  buyer: "Confira seus dados. Nada foi cobrado.",
  expired: "O código Pix expirou sem pagamento. Gere um novo ou use um cartão.",
  cancelled: "O pagamento foi cancelado. Nada foi cobrado: você pode pagar de novo.",
  notReached: "A conexão com a loja falhou. Nada foi cobrado: tente de novo.",
  unknown: "Não sabemos ainda se o pagamento foi feito. Não pague de novo: esta página se atualiza sozinha.",
} as const;

/** Why a card was declined, as the service says it, for the reasons that a buyer can do something about. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/limit/i, "O limite do cartão não é suficiente."],
  [/security code|cvv/i, "O código de segurança não confere."],
  [/expired/i, "O cartão está vencido."],
  [/wrong data/i, "Os dados do cartão não conferem."],
];

export function textOfRefusal(reason: string): string {
  const known =
    REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "O banco emissor não autorizou a compra.";
  return `Pagamento recusado. ${known} Nada foi cobrado: tente outro cartão ou pague com Pix.`;
}
