import type { PostbackBody } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";

/** The language of the page. The server chooses the first language of the browser that is English or Portuguese. */
export const language: "pt" | "en" = document.documentElement.lang === "pt-BR" ? "pt" : "en";

/** Chooses a text, or several, in the page's language. */
export function t<Text>(english: Text, portuguese: Text): Text {
  return language === "pt" ? portuguese : english;
}

/** Texts that are shown in several places. */
export const words = {
  transactions: t("Transactions", "Transações"),
  requests: t("Requests", "Requisições"),
  transaction: t("Transaction", "Transação"),
  request: t("Request", "Requisição"),
  reference: t("Reference", "Referência"),
  customer: t("Customer", "Comprador"),
  amount: t("Amount", "Valor"),
  method: t("Method", "Método"),
  noResponse: t("no response", "sem resposta"),
  loading: t("Loading…", "Carregando…"),
};

/** The statuses of a transaction. Where one is shown, its value in the API is the tooltip. */
export const statusNames: Readonly<Record<PostbackBody["status"], string>> = {
  pending: t("Pending", "Pendente"),
  processing: t("Processing", "Processando"),
  approved: t("Approved", "Aprovado"),
  refused: t("Refused", "Recusado"),
  cancelled: t("Cancelled", "Cancelado"),
  canceled: t("Cancelled", "Cancelado"),
  expired: t("Expired", "Expirado"),
  refunded: t("Refunded", "Estornado"),
  chargedback: t("Charged back", "Chargeback"),
};

/** The payment methods, shown in the same way. */
export const methodNames: Readonly<Record<SandboxTransaction["paymentMethod"], string>> = {
  pix: "Pix",
  credit_card: t("Card", "Cartão"),
};

const PORTUGUESE_REASONS = new Map([
  ["Not authorized by the card issuer", "não autorizado pelo emissor do cartão"],
  ["Insufficient limit", "limite insuficiente"],
  ["Wrong data: the security code does not match", "o código de segurança não confere"],
  ["Wrong data: the card has expired", "o cartão está vencido"],
  ["Refused by the anti-fraud rules", "recusado pela análise antifraude"],
  ["The card was reported stolen", "há registro de roubo do cartão"],
  ["The card was reported lost", "há registro de perda do cartão"],
  ["The card was used too often", "o cartão foi usado vezes demais"],
  ["The card issuer did not answer", "o emissor do cartão não respondeu"],
  ["Amount outside the limits of the company", "valor fora dos limites da loja"],
]);

export function translateRefusedReason(reason: string): string {
  return t(reason, PORTUGUESE_REASONS.get(reason) ?? reason);
}
