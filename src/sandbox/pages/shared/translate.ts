import type { PostbackBody } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";

/** The language of the page. The server chooses the first language of the browser that is English or Portuguese. */
export const language: "pt" | "en" = document.documentElement.lang === "pt-BR" ? "pt" : "en";

type Pairs<Messages> = {
  readonly [Name in keyof Messages]: readonly [english: Messages[Name], portuguese: Messages[Name]];
};

/** Chooses the messages in the page's language. */
export function translate<Messages extends object>(pairs: Pairs<Messages>): Messages {
  const index = language === "pt" ? 1 : 0;
  const entries = Object.entries<readonly unknown[]>(pairs).map(([name, pair]) => [name, pair[index]]);
  return Object.fromEntries(entries) as Messages;
}

/** A message with a count, such as `1 result` or `2 results`. */
export function plural(one: string, many: string): (count: number) => string {
  return (count) => (count === 1 ? `1 ${one}` : `${count} ${many}`);
}

export const words = translate({
  sandbox: ["Payments sandbox", "Sandbox de pagamentos"],
  transactions: ["Transactions", "Transações"],
  requests: ["Requests", "Requisições"],
  transaction: ["Transaction", "Transação"],
  request: ["Request", "Requisição"],
  reference: ["Reference", "Referência"],
  customer: ["Customer", "Comprador"],
  amount: ["Amount", "Valor"],
  invalidAmount: ["Enter the amount in reais, such as 9,90.", "Informe o valor em reais, por exemplo 9,90."],
  method: ["Method", "Método"],
  paid: ["Paid", "Pago"],
  refunded: ["Refunded", "Estornado"],
  armedFaults: ["Armed faults", "Falhas ativas"],
  noResponse: ["no response", "sem resposta"],
  loading: ["Loading…", "Carregando…"],
  close: ["Close", "Fechar"],
  remove: ["Remove", "Remover"],
  removeAll: ["Remove all", "Remover todas"],
});

/** The statuses of a transaction. Where one is shown, its value in the API is the tooltip. */
export const statusNames: Readonly<Record<PostbackBody["status"], string>> = translate({
  pending: ["Pending", "Pendente"],
  processing: ["Processing", "Processando"],
  approved: ["Approved", "Aprovado"],
  refused: ["Refused", "Recusado"],
  cancelled: ["Cancelled", "Cancelado"],
  canceled: ["Cancelled", "Cancelado"],
  expired: ["Expired", "Expirado"],
  refunded: ["Refunded", "Estornado"],
  chargedback: ["Charged back", "Chargeback"],
});

/** The payment methods, shown in the same way. */
export const methodNames: Readonly<Record<SandboxTransaction["paymentMethod"], string>> = translate({
  pix: ["Pix", "Pix"],
  credit_card: ["Card", "Cartão"],
});

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
  return (language === "pt" && PORTUGUESE_REASONS.get(reason)) || reason;
}
